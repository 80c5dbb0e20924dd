import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { builtCommand } from '../support/built-service.ts'
import { runCommand, runService, type Settings, start, temporaryFolder } from '../support/running-service.ts'
import { ageActivities, ageCharters } from '../support/sealed-copies.ts'
import { founder, init, signs, submit } from './founder.ts'

/** A clock that moves two and a half seconds with each look at it, so that short work appears to take long. */
const onSlowClock = onClock('let at = Date.now(); Date.now = () => (at += 2500)')
/**
 * The same clock ten minutes later. The looks of a backup put its time into the future, and a restore must be after it.
 */
const onLaterClock = onClock('let at = Date.now() + 600_000; Date.now = () => (at += 2500)')
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
    [['quota', 'recount'], own, `^recounted 1 organizations, 0 counts were wrong ${AGES}`],
    [['root-key', 'add'], own, '^added version 2'],
    [['root-key', 'reseal'], own, '^resealing is running: \\d+ rows looked at'],
  ] as const)
    assert.match(
      await said(args, settings, settings === restored ? onLaterClock : onSlowClock),
      new RegExp(progress),
      args.join(' '),
    )
})

test('commands that erase records, copy them or deliver events again show their progress', async () => {
  const { dataFolder, key } = founder()
  const own = { CLAVIGER_DATA: dataFolder }
  const { organizationId } = await init(dataFolder, key)
  const by = { organizationId, key }
  const from = new Date().toISOString()
  const { userId, subOrganizationId } = await served(dataFolder, async (url) => {
    const [userId = '', subOrganizationId] = [await deletedUser(url, by), await deletedOrganization(url, by)]
    await submit(url, by, 'set_organization_feature', 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
      name: 'FEATURE_NAME_WEBHOOK',
      value: 'https://example.com/hook',
    })
    return { userId, subOrganizationId }
  })
  const to = new Date(Date.now() + 1).toISOString()
  const endpoint = ['--organization', organizationId, '--endpoint', 'FEATURE_NAME_WEBHOOK']
  const [again, copying, user] = [
    ['webhooks', 'redeliver', ...endpoint, '--from', from, '--to', to],
    ['organization', 'export', organizationId, '--out', join(temporaryFolder(), 'export')],
    ['user', 'erase', '--organization', organizationId, '--user', userId],
  ]
  assert.match(await said(again, own), /^found \d+ deliveries, \d+ of them are due again \(\d+ s\)\n/)
  assert.match(await said(copying, own), /^copied \d+ rows \(\d+ s\)\n/)

  ageActivities(dataFolder, HOUR_MS + 6 * MINUTE_MS)
  ageCharters(dataFolder, HOUR_MS + 5 * MINUTE_MS)
  assert.match(await said(user, own), /^looked at \d+ rows \(\d+ s\)\n/)
  const organization = ['organization', 'erase', subOrganizationId]
  assert.match(await said(organization, own), /^erased \d+ rows \(\d+ s\)\n/)
})

test('commands that move activities into archives, or find them there, show their progress', async () => {
  const { dataFolder, key } = founder()
  const own = { CLAVIGER_DATA: dataFolder }
  const { organizationId } = await init(dataFolder, key)
  const by = { organizationId, key }
  await served(dataFolder, (url) => signs(url, by))
  ageActivities(dataFolder, YEAR_MS)
  // The newest activity of an organization stays in the store.
  await served(dataFolder, (url) => signs(url, by))
  const folder = temporaryFolder()
  const made = await said(['archive', 'make', '--to', folder], own)
  assert.match(made, /^read \d+ activities, wrote \d+, removed \d+ of them from the store \(\d+ s\)\n/)
  const found = await said(['archive', 'find', '--in', folder, '--organization', organizationId], own)
  assert.match(found, /^read \d+ activities \(\d+ s\)\n/)
})

test('a command that waits for the service with the data says so', async (t) => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const service = await runService('serve', { dataFolder })
  t.after(() => service.kill())
  process.kill(service.hostPid, 'SIGSTOP')
  const asking = start([await builtCommand(), 'webhooks', 'redeliver', '--all-dead'], {
    CLAVIGER_DATA: dataFolder,
    ...onSlowClock,
  })
  t.after(asking.killGroup)
  await eventually(
    () => asking.output().includes('the running service carries out the command ('),
    asking.output,
  )
  process.kill(service.hostPid, 'SIGCONT')
  assert.equal(await asking.ended, 0)
  assert.match(asking.output(), /^the running service carries out the command \(\d+ s\)\n[^]*^0 due again$/m)
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

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const YEAR_MS = 366 * 24 * HOUR_MS

type By = Parameters<typeof submit>[1]

async function served<Result>(dataFolder: string, use: (url: string) => Promise<Result>): Promise<Result> {
  const service = await runService('serve', { dataFolder })
  try {
    return await use(service.url)
  } finally {
    await service.kill()
  }
}

function apiKeysOf({ publicKey }: By['key']) {
  return [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }]
}

async function deletedUser(url: string, by: By): Promise<string | undefined> {
  const apiKeys = apiKeysOf(founder().key)
  const users = [{ userName: 'Grace', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }]
  const { activity } = await submit(url, by, 'create_users', 'ACTIVITY_TYPE_CREATE_USERS_V3', { users })
  const { userIds } = activity.result.createUsersResult
  await submit(url, by, 'delete_users', 'ACTIVITY_TYPE_DELETE_USERS', { userIds })
  return userIds[0]
}

async function deletedOrganization(url: string, by: By): Promise<string> {
  const { key } = founder()
  const rootUsers = [{ userName: 'Mary', apiKeys: apiKeysOf(key), authenticators: [], oauthProviders: [] }]
  const created = await submit(
    url,
    by,
    'create_sub_organization',
    'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7',
    { subOrganizationName: 'Customer', rootQuorumThreshold: 1, rootUsers },
  )
  const { subOrganizationId: organizationId } = created.activity.result.createSubOrganizationResultV7
  await submit(
    url,
    { organizationId, key },
    'delete_sub_organization',
    'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION',
    { deleteWithoutExport: true },
  )
  return organizationId
}
