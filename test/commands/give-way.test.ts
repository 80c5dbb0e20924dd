import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand, type Settings, temporaryFolder } from '../support/running-service.ts'
import { founder, init } from './founder.ts'

/**
 * A command says with which nice values each process starts that it starts, and those of its own threads at its end.
 */
const TELLS = `
  import processes from 'node:child_process'
  import { readdirSync, writeSync } from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  import { getPriority } from 'node:os'
  const niceValues = (pid) => readdirSync('/proc/' + pid + '/task').map((thread) => getPriority(Number(thread)))
  const tell = (pid) => writeSync(2, '\\nnice values ' + [...new Set(niceValues(pid))] + '\\n')
  const { spawn } = processes
  processes.spawn = (...args) => {
    const child = spawn(...args)
    tell(child.pid)
    return child
  }
  syncBuiltinESMExports()
  process.on('exit', () => tell(process.pid))
`

/** What systemd answers where `SystemCallFilter` leaves the calls of `@resources` out. */
const FORBIDS = `
  import os from 'node:os'
  import { syncBuiltinESMExports } from 'node:module'
  os.setPriority = () => {
    throw new Error('A system error occurred: uv_os_setpriority returned EPERM')
  }
  syncBuiltinESMExports()
`

test('what reads all rows beside a running service lets it go first, and what runs alone does not wait for others', async () => {
  const { dataFolder, key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const folder = temporaryFolder()
  const copy = join(folder, 'copy')
  const own = { CLAVIGER_DATA: dataFolder }
  const restored = {
    CLAVIGER_DATA: join(folder, 'restored'),
    CLAVIGER_ROOT_KEY: join(dataFolder, 'root.key'),
  }
  for (const args of [
    ['backup', '--out', copy],
    ['verify'],
    ['verify', '--backup', copy],
    ['archive', 'make', '--to', join(folder, 'archives')],
    ['organization', 'export', organizationId, '--out', join(folder, 'export')],
  ])
    assert.deepEqual(await niceValues(args, own), ['10', '10'], args.join(' '))
  assert.deepEqual(await niceValues(['restore', '--from', copy], restored), ['0', '0'])
})

test('a backup is made where the system forbids to change priorities', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const { code, output } = await runCommand(['backup', '--out', join(temporaryFolder(), 'copy')], {
    CLAVIGER_DATA: dataFolder,
    NODE_OPTIONS: imported(FORBIDS),
  })
  assert.equal(code, 0, output)
})

/** Of the vault that the command starts, and of the command. */
async function niceValues(args: readonly string[], settings: Settings): Promise<readonly string[]> {
  const { code, output } = await runCommand(args, {
    ...settings,
    NODE_OPTIONS: imported(TELLS),
  })
  assert.equal(code, 0, output)
  return [...output.matchAll(/^nice values (\S+)$/gm)].map(([, value = '']) => value)
}

function imported(script: string): string {
  return `--import=data:text/javascript,${encodeURIComponent(script)}`
}
