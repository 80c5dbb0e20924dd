import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectFolder, start } from '../support/running-service.ts'

/** Says each of our own modules that is loaded, by its path in `src`. */
const TELL = `import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => (url.includes('/src/') && loaded.push(url.split('/src/').pop()), next(url, context)) })
process.on('exit', () => console.log('modules: ' + loaded.join(' ')))`

test('a command loads no module that only other commands need', async () => {
  const version = await modulesOf(['version'])
  const help = await modulesOf(['help'])
  const lint = await modulesOf(['policies', 'lint', 'none.json'])
  assert.ok(version.length > 10 && version.length <= 100, `version: ${version.length}`)
  assert.ok(help.length > 10 && help.length <= 110, `help: ${help.length}`)
  assert.ok(lint.length > 300 && lint.length <= 700, `policies lint: ${lint.length}`)
  // Each of these is of one command alone.
  const modules = ['host/cli/version.ts', 'host/cli/usage-text.ts', 'host/cli/policies.ts']
  const among = (loaded: readonly string[]) => modules.filter((one) => loaded.includes(one))
  assert.deepEqual([version, help, lint].map(among), [[modules[0]], [modules[1]], [modules[2]]])
})

async function modulesOf(args: readonly string[]): Promise<readonly string[]> {
  const launcher = join(projectFolder, 'bin', 'claviger.js')
  const telling = ['--import', `data:text/javascript,${encodeURIComponent(TELL)}`, launcher, ...args]
  const { ended, output } = start(telling, {})
  await ended
  return /^modules: (.*)$/m.exec(output())?.[1]?.split(' ') ?? []
}
