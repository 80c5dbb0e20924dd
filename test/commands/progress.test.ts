import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand, type Settings, temporaryFolder } from '../support/running-service.ts'
import { founder, init } from './founder.ts'

/** A second and a half passes each time that somebody looks: what is short takes long by it. */
const onSlowClock = onClock('let at = Date.now(); Date.now = () => (at += 1500)')
const onStandingClock = onClock('const at = Date.now(); Date.now = () => at')

function onClock(text: string): Settings {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(text)}` }
}

test('a command that reads all rows says how far it is when it takes longer than two seconds', async () => {
  const { dataFolder, key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const own = { CLAVIGER_DATA: dataFolder }
  const folder = temporaryFolder()
  const copy = join(folder, 'copy')
  const restored = {
    CLAVIGER_DATA: join(folder, 'restored'),
    CLAVIGER_ROOT_KEY: join(dataFolder, 'root.key'),
  }
  await said(['quota', 'set', organizationId, '--objects', '5'], own)
  const AGES = String.raw`\(\d+ s\)\n`
  for (const [args, settings, progress] of [
    [['backup', '--out', copy], own, `^copied \\d+ rows ${AGES}`],
    [['verify'], own, `^verified \\d+ rows, 0 wrong ${AGES}`],
    [['verify', '--backup', copy], own, `^verified \\d+ rows, 0 wrong ${AGES}`],
    [['restore', '--from', copy], restored, `^restored \\d+ rows ${AGES}`],
    [['move', '--to', join(folder, 'moved')], restored, `^moved or compared \\d+ rows ${AGES}`],
    [['quota', 'recount'], own, `^counted 1 organizations anew, 0 counts were wrong ${AGES}`],
    [['root-key', 'add'], own, '^added version 2'],
    [['root-key', 'reseal'], own, '^resealing is running: \\d+ rows looked at'],
  ] as const)
    assert.match(await said(args, settings), new RegExp(progress), args.join(' '))
})

test('a command that is done at once tells its result alone', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const own = { CLAVIGER_DATA: dataFolder }
  assert.match(await said(['verify'], own, onStandingClock), /^ok {2}\d+ rows are as the vault sealed them/)
})

async function said(args: readonly string[], settings: Settings, clock = onSlowClock): Promise<string> {
  const { code, output } = await runCommand(args, { ...settings, ...clock })
  assert.equal(code, 0, output)
  return output
}
