import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectFolder, start } from '../support/running-service.ts'
import { founder, init } from './founder.ts'

const launcher = join(projectFolder, 'bin', 'claviger.js')

/**
 * A program that reads the last words of a command and sends its signal in the same moment, before the command runs on.
 */
const STOPPED_BY_ITS_READER = `data:text/javascript,${encodeURIComponent(`
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = (text, ...more) => {
    const written = write(text, ...more)
    if (String(text).includes(process.env.TEST_STOPPED_AT)) process.kill(process.pid, 'SIGTERM')
    return written
  }
`)}`

const commands: readonly [name: string, args: readonly string[], saidLast: string][] = [
  ['dev', ['dev'], '"listening"'],
  ['dev with its greeting', ['dev'], 'Stop with Ctrl-C'],
  ['serve', ['serve'], '"listening"'],
  ['emulate', ['emulate'], 'Stop with Ctrl-C'],
  ['emulate for programs', ['emulate', '--json'], '"ready"'],
  ['console', ['console', '--of', 'http://127.0.0.1:1'], 'Stop with Ctrl-C'],
]

for (const [name, args, saidLast] of commands)
  test(`a signal in the moment in which ${name} says that it is there ends it in good order`, async () => {
    const { dataFolder, key } = founder()
    if (args[0] === 'serve') await init(dataFolder, key)
    const { ended, output } = start([launcher, ...args], {
      CLAVIGER_DATA: dataFolder,
      CLAVIGER_PORT: '0',
      CLAVIGER_DRAIN_SECONDS: '0',
      NODE_OPTIONS: `--import=${STOPPED_BY_ITS_READER}`,
      TEST_STOPPED_AT: saidLast,
    })
    assert.equal(await ended, 0, output())
    assert.ok(output().includes(saidLast), output())
  })
