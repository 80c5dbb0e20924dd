import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from './running-service.ts'

const LOADED = new URL('./untracked-promises.ts', import.meta.url).href
const SOON = 'await new Promise((resolve) => setImmediate(resolve))'

/** As `test/run.ts` starts a file. */
function ranAlone(body: string): { readonly status: number | null; readonly output: string } {
  const file = join(temporaryFolder(), 'one.test.mjs')
  writeFileSync(file, `import { test } from 'node:test'\n${body}\n`)
  // A runner does not start others within itself, and would tell it in a form for machines.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', LOADED, '--test-reporter', 'tap', file],
    { env, encoding: 'utf8' },
  )
  return { status, output: stdout }
}

test('a file fails by an error that nobody awaits, wherever it comes from, and says which', () => {
  const late = {
    'a rejection': "void Promise.reject(new Error('lost'))",
    'a rejection of later': `void (async () => { ${SOON}; throw new Error('lost') })()`,
    'an exception in a turn of its own': "setImmediate(() => { throw new Error('lost') })",
    'an exception in one after an await': "await null; setImmediate(() => { throw new Error('lost') })",
  }
  assert.equal(ranAlone(`test('fine', async () => { ${SOON} })`).status, 0)
  for (const [what, statements] of Object.entries(late)) {
    const { status, output } = ranAlone(
      `test('one', async () => { ${statements}; ${SOON}; ${SOON}; ${SOON} })`,
    )
    assert.equal(status, 1, `${what}: ${output}`)
    assert.match(output, /lost/, what)
  }
})

test('the runner follows no promise, and hooks of a test follow theirs', () => {
  const { status, output } = ranAlone(`
import hooks, { executionAsyncId } from 'node:async_hooks'
test('one', async (t) => {
  await null
  const before = executionAsyncId()
  await null
  t.diagnostic(\`\${executionAsyncId() === before}\`)
  let promises = 0
  const hook = hooks.createHook({ init: (id, type) => { if (type === 'PROMISE') promises += 1 } }).enable()
  await null
  hook.disable()
  t.diagnostic(\`\${promises > 0}\`)
})`)
  assert.equal(status, 0, output)
  assert.match(output, /# true\n\s*# true/, output)
})
