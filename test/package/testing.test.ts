import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectFolder } from '../support/running-service.ts'
import { installed } from './installed.ts'
import { packed } from './packed.ts'

/** What a test suite of somebody else's would have, in TypeScript. */
const SUITE = `import { startClaviger, type Claviger } from 'claviger/testing'

const claviger: Claviger = await startClaviger({ seed: 7, fixtures: 'treasury' })
try {
  const eve = await claviger.newUser('Eve')
  claviger.clock.advance('2h')
  const before = claviger.snapshot()
  const { status, json } = await eve.query('whoami', {})
  const seen: number = claviger.requests().length
  claviger.restore(before)
  // @ts-expect-error a seed is a number or a text
  const wrong: Parameters<typeof startClaviger>[0] = { seed: true }
  console.log(JSON.stringify({ status, json, seen, id: claviger.organizationId, wrong: typeof wrong }))
} finally {
  await claviger.close()
}
`

test('a test suite in TypeScript is checked against the declarations of the package, and theirs', () => {
  writeFileSync(join(installed, 'suite.ts'), SUITE)
  mkdirSync(join(installed, 'node_modules', '@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(join(projectFolder, 'node_modules', name), join(installed, 'node_modules', name))
  for (const [name, settings] of Object.entries({
    'tsconfig.json': { module: 'nodenext', outDir: 'out' },
    'tsconfig.bundler.json': { module: 'esnext', moduleResolution: 'bundler', noEmit: true },
  })) {
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2024', 'esnext.disposable'],
      strict: true,
      skipLibCheck: false,
      types: ['node'],
      ...settings,
    }
    writeFileSync(join(installed, name), JSON.stringify({ compilerOptions, files: ['suite.ts'] }))
    const compiler = join(projectFolder, 'node_modules', 'typescript', 'bin', 'tsc')
    const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', name], {
      cwd: installed,
      encoding: 'utf8',
    })
    assert.deepEqual({ status, stdout }, { status: 0, stdout: '' }, name)
  }
})

test('claviger/testing runs on every Node that the package is for, and answers the same on each', () => {
  const [oldest, newest] = [packed.oldest, packed.newest].map(({ program }) => {
    const { status, stdout, stderr } = spawnSync(program, ['out/suite.js'], {
      cwd: installed,
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
    return stdout
  })
  assert.match(newest ?? '', /"status":200,.*"username":"Eve"/)
  assert.equal(oldest, newest)
})

test('nothing but the entry for test suites can be imported from the package', () => {
  const inside = ['claviger', 'claviger/lib/trusted/vault/vault.js', 'claviger/bin/claviger.js']
  for (const name of inside) {
    const script = `await import('${name}').catch(({ code }) => console.log(code))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: installed,
      encoding: 'utf8',
    })
    assert.equal(stdout, 'ERR_PACKAGE_PATH_NOT_EXPORTED\n', name)
  }
})
