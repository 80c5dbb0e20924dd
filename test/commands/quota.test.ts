import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../src/host/app/config.ts'
import { quota as quotaCommand } from '../../src/host/cli/quota.ts'
import { UsageError } from '../../src/host/cli/usage.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { runCommand, runService, type Settings, temporaryFolder } from '../support/running-service.ts'
import { type StampKey, stampWith } from '../support/stamper.ts'
import { founder, init } from './founder.ts'

const UNKNOWN = '0198c5a0-7d3c-7000-8000-000000000001'

async function founded(settings: Settings = {}) {
  const { dataFolder, key } = founder()
  const own = { CLAVIGER_DATA: dataFolder, ...settings }
  const { organizationId } = await init(dataFolder, key, settings)
  const quota = (...args: readonly string[]) => runCommand(['quota', ...args], own)
  const answered = async (...args: readonly string[]) => {
    const { code, output } = await quota(...args, '--json')
    return { code, json: JSON.parse(output) }
  }
  return { dataFolder, key, own, organizationId, quota, answered }
}

type Shown = {
  readonly subjects: readonly {
    readonly subject: string
    readonly uses: readonly { readonly quota: string; readonly used: number }[]
  }[]
}

/** What an organization has used of each quota, as `--json` answers it. */
function usedIn({ subjects }: Shown, organizationId: string): { readonly [quota: string]: number } {
  const found = subjects.find(({ subject }) => subject === organizationId)
  return Object.fromEntries((found?.uses ?? []).map(({ quota, used }) => [quota, used]))
}

test('quotas are set, listed, shown and removed in lines and in JSON, by the data itself and by a service that runs', async () => {
  const { dataFolder, own, organizationId, key, quota, answered } = await founded()
  assert.deepEqual(await quota('list'), { code: 0, output: 'no quota is set\n' })
  assert.deepEqual(await answered('list'), { code: 0, json: { kind: 'shown', subjects: [] } })
  const set = await quota('set', organizationId, '--requests', '5/day', '--objects', '10')
  assert.deepEqual(set, {
    code: 0,
    output: `${organizationId}\n  requests today     0 of 5\n  objects            0 of 10\n`,
  })
  const messages = ['--messages', '7/day', '--sub-organization-messages', '3'] as const
  assert.match(
    (await quota('set', organizationId, ...messages)).output,
    /\n {2}messages today {23}0 of 7\n {2}messages of sub-organizations today {2}0 of 3\n/,
  )
  const none = messages.map((word) => (word.startsWith('--') ? word : 'none'))
  assert.deepEqual(await quota('set', organizationId, ...none), set)
  const service = await runService('serve', { dataFolder, ...own })
  try {
    for (let n = 0; n < 4; n++) assert.equal(await makesTag(service.url, { organizationId, key }), 200)
    const json = {
      kind: 'shown',
      subjects: [
        {
          subject: organizationId,
          uses: [
            { quota: 'requests', most: 5, used: 4 },
            { quota: 'objects', most: 10, used: 0 },
          ],
        },
      ],
    }
    assert.deepEqual(await answered('show', organizationId), { code: 0, json })
    assert.deepEqual(await answered('list'), { code: 0, json })
    assert.match((await quota('list')).output, /^ {2}requests today {5}4 of 5 {2}nearly full$/m)
    // A quota that is not named stays, and what is set holds for the next request.
    assert.match(
      (await quota('set', organizationId, '--requests', '4')).output,
      /4 of 4 {2}full\n {2}objects {2,}0 of 10$/m,
    )
    assert.equal(await makesTag(service.url, { organizationId, key }), 429)
    assert.deepEqual(await answered('near'), {
      code: 0,
      json: {
        kind: 'near',
        full: 1,
        nearlyFull: 0,
        subjects: [
          {
            ...json.subjects[0],
            uses: [
              { quota: 'requests', most: 4, used: 4 },
              { quota: 'objects', most: 10, used: 0 },
            ],
          },
        ],
      },
    })
    const near = await quota('near')
    assert.match(near.output, /4 of 4 {2}full$[^]*^1 full, 0 nearly full$/m)
    const doctor = await runCommand(['doctor'], { ...own, CLAVIGER_PORT: new URL(service.url).port })
    assert.match(
      doctor.output,
      /^ok {2}quotas: organizations at a quota: 1 full, 0 nearly full; claviger quota near lists/m,
    )
    assert.equal(doctor.code, 0, 'a tenant who uses up a quota makes no doctor ill')
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    assert.match(metrics, /^claviger_quota_organizations\{quota="requests",state="full"\} \d$/m)
    const common = await quota('set', '--default', '--stored-bytes', '1000000')
    assert.match(
      common.output,
      /^every organization without a quota of its own\n {2}stored bytes {7}up to 1000000\n$/,
    )
    assert.deepEqual((await answered('recount')).json, { kind: 'recounted', organizations: 1, drifts: [] })
    assert.match((await quota('remove', '--default')).output, /: no quota\n$/)
    assert.match(
      (await quota('set', organizationId, '--requests', 'none', '--objects', 'none')).output,
      /: no quota\n$/,
    )
    assert.equal(await makesTag(service.url, { organizationId, key }), 200)
    assert.deepEqual(await answered('list'), { code: 0, json: { kind: 'shown', subjects: [] } })
  } finally {
    await service.kill()
  }
})

test('an unknown organization and an invalid number end with a sentence', async () => {
  const { organizationId, quota, answered } = await founded()
  for (const args of [
    ['set', UNKNOWN, '--requests', '1'],
    ['show', "' OR 1=1 --"],
  ]) {
    const { code, output } = await quota(...args)
    const first = `claviger quota: there is no organization ${args[1]}`
    assert.deepEqual([code, output.split('\n')[0]], [1, first])
  }
  const wrong = await quota('set', organizationId, '--requests', 'many')
  assert.equal(wrong.code, 2)
  assert.match(
    wrong.output,
    /^claviger quota: --requests is a number, which may end in \/day, or none; not many$/m,
  )
  assert.deepEqual((await answered('list')).json, { kind: 'shown', subjects: [] })
})

test('what is no number and what are words too many is refused before any data are opened', async () => {
  const { organizationId } = await founded()
  // There is nothing: whatever opened this configuration would fail otherwise.
  const refused = async (args: readonly string[], why: RegExp) =>
    assert.rejects(
      quotaCommand(readConfig({ CLAVIGER_DATA: '/nowhere' }, '/nowhere'), args),
      (error) => error instanceof UsageError && why.test(error.message),
      args.join(' '),
    )
  for (const [option, bad] of [
    ['--requests', '-1'],
    ['--requests', '1.5'],
    ['--requests', '1e3'],
    ['--requests', '0x10'],
    ['--requests', '5/hour'],
    ['--requests', '1000000000000000'],
    ['--cost', 'many'],
    ['--objects', '5/day'],
    ['--stored-bytes', '1 GB'],
  ] as const)
    await refused(['set', organizationId, `${option}=${bad}`], new RegExp(`^${option} is a number`))
  await refused(['set', organizationId, '--requests='], /^--requests is empty/)
  for (const args of [
    [],
    ['set'],
    ['set', organizationId],
    ['set', '--requests', '5'],
    ['set', organizationId, '--default', '--requests', '5'],
    ['show'],
    ['show', organizationId, organizationId],
    ['list', organizationId],
    ['near', organizationId],
    ['near', '--default'],
    ['remove'],
    ['remove', organizationId, '--requests', '5'],
    ['recount', '--default'],
    ['recount', organizationId, 'more'],
    ['give', organizationId],
  ])
    await refused(args, /^one of: set ORGANIZATION or --default with/)
  await refused(['set', organizationId, '--wallets', '5'], /--wallets/)
})

test('a recount that finds a wrong count ends with 1, sets it right and says so', async () => {
  const { dataFolder, organizationId, quota, answered } = await founded()
  await quota('set', organizationId, '--objects', '10', '--stored-bytes', '100000')
  const { DatabaseSync } = await import('node:sqlite')
  const db = new DatabaseSync(join(dataFolder, 'claviger.db'))
  db.exec(`UPDATE claims SET target = replace(target, '"used":0', '"used":7') WHERE scope = '@quotas'`)
  db.close()
  const found = await quota('recount', organizationId)
  assert.equal(found.code, 1)
  assert.match(
    found.output,
    /^!! \S+ {2}objects: counted 7, found 0; the count was corrected\n1 organizations recounted, 1 counts were wrong$/m,
  )
  assert.deepEqual(await answered('recount'), {
    code: 0,
    json: { kind: 'recounted', organizations: 1, drifts: [] },
  })
})

test('a backup, a restore and a move carry quotas and what was used of them', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async () => {
  const { dataFolder, own, organizationId, key, quota, answered } = await founded()
  await quota(
    'set',
    organizationId,
    '--requests',
    '1000',
    '--cost',
    '1000000',
    '--objects',
    '100',
    '--stored-bytes',
    '1000000',
  )
  await quota('set', '--default', '--sub-organizations', '9')
  const service = await runService('serve', { dataFolder, ...own })
  const file = join(temporaryFolder(), 'backup')
  try {
    for (let n = 0; n < 3; n++) assert.equal(await makesTag(service.url, { organizationId, key }), 200)
    assert.equal((await runCommand(['backup', '--out', file], own)).code, 0)
  } finally {
    await service.kill()
  }
  const before = (await answered('list')).json
  const { requests, cost, storedBytes } = usedIn(before, organizationId)
  assert.ok(requests === 3 && Number(cost) > 0 && Number(storedBytes) > 0, JSON.stringify(before))

  const other = join(temporaryFolder(), 'data')
  const restored = { CLAVIGER_DATA: other, CLAVIGER_ROOT_KEY: join(dataFolder, 'root.key') }
  const done = await runCommand(['restore', '--from', file], restored)
  assert.equal(done.code, 0, done.output)
  const listed = async (settings: Settings) =>
    JSON.parse((await runCommand(['quota', 'list', '--json'], settings)).output)
  assert.deepEqual(await listed(restored), before)

  const url = await freshDatabase()
  assert.equal((await runCommand(['move', '--to', url], own)).code, 0)
  const postgres = { ...own, CLAVIGER_DATABASE_URL: url }
  assert.deepEqual(await listed(postgres), before)
  const recounted = await runCommand(['quota', 'recount'], postgres)
  assert.equal(recounted.code, 0, recounted.output)
  // They hold there: the service counts on from what it was brought.
  await runCommand(['quota', 'set', organizationId, '--requests', '4'], postgres)
  const there = await runService('serve', { dataFolder, ...postgres })
  try {
    const statuses = [
      await makesTag(there.url, { organizationId, key }),
      await makesTag(there.url, { organizationId, key }),
    ]
    assert.deepEqual(statuses, [200, 429])
  } finally {
    await there.kill()
  }
})

let tags = 0

async function makesTag(
  url: string,
  { organizationId, key }: { readonly organizationId: string; readonly key: StampKey },
): Promise<number> {
  const body = JSON.stringify({
    type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG',
    timestampMs: String(Date.now()),
    organizationId,
    parameters: { privateKeyTagName: `Tag ${tags++}`, privateKeyIds: [] },
  })
  const { stampHeaderName, stampHeaderValue } = stampWith(key, body)
  const answer = await fetch(`${url}/public/v1/submit/create_private_key_tag`, {
    method: 'POST',
    headers: { [stampHeaderName]: stampHeaderValue },
    body,
  })
  await answer.arrayBuffer()
  return answer.status
}
