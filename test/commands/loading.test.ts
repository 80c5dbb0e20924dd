import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectFolder, start } from '../support/running-service.ts'

/** Counts our own modules as they are loaded, and says their number at the end. */
const COUNT = `import { registerHooks } from 'node:module'
let count = 0
registerHooks({ load: (url, context, next) => (url.includes('/src/') && count++, next(url, context)) })
process.on('exit', () => console.log('modules: ' + count))`

test('a command loads no module that only other commands need', async () => {
  const version = await modulesOf(['version'])
  const help = await modulesOf(['help'])
  const lint = await modulesOf(['policies', 'lint', 'none.json'])
  assert.ok(version > 10 && version <= 100, `version: ${version}`)
  assert.ok(help > version && help <= 110, `help: ${help}`)
  assert.ok(lint > 300 && lint <= 700, `policies lint: ${lint}`)
})

async function modulesOf(args: readonly string[]): Promise<number> {
  const launcher = join(projectFolder, 'bin', 'claviger.js')
  const counting = ['--import', `data:text/javascript,${encodeURIComponent(COUNT)}`, launcher, ...args]
  const { ended, output } = start(counting, {})
  await ended
  return Number(/^modules: (\d+)$/m.exec(output())?.[1])
}
