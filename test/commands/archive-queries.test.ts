import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { runCommand, runService, type Settings, temporaryFolder } from '../support/running-service.ts'
import { ageActivities, copyActivity } from '../support/sealed-copies.ts'
import type { StampKey } from '../support/stamper.ts'
import { founder, init, post, signs } from './founder.ts'

const YEAR_MS = 366 * 24 * 60 * 60 * 1000
const COPIES = 700
const skip = postgresAvailable() ? false : postgresMissing

test('a service on PostgreSQL answers the same lists while a year is archived beside it, and after that', {
  skip,
}, async () => {
  const { dataFolder, by } = await aYearAgo()
  const url = await freshDatabase()
  const moved = await runCommand(['move', '--to', url], { CLAVIGER_DATA: dataFolder })
  assert.equal(moved.code, 0, moved.output)
  const folder = join(temporaryFolder(), 'archives')
  const settings = { CLAVIGER_DATA: dataFolder, CLAVIGER_DATABASE_URL: url, CLAVIGER_ARCHIVES: folder }
  const service = await runService('serve', { dataFolder, ...settings })
  try {
    const before = await listed(service.url, by)
    assert.ok(before.length > COPIES)
    let isOver = false
    const making = runCommand(['archive', 'make', '--to', folder], settings).finally(() => (isOver = true))
    for (let times = 0; !isOver || times < 2; times++) assert.deepEqual(await listed(service.url, by), before)
    const { code, output } = await making
    assert.equal(code, 0, output)
    assert.match(output, /: 70\d activities of \d{4}-\d\d, now gone from the store/)
    assert.deepEqual(await listed(service.url, by), before)
    assert.equal(await signs(service.url, by), 'Ada')
    const verified = await runCommand(['verify', '--archives', folder], settings)
    assert.equal(verified.code, 0, verified.output)
  } finally {
    await service.kill()
  }
})

test('a service on the embedded store goes on in its archives, and says which of them is missing', async () => {
  const { dataFolder, by } = await aYearAgo()
  const settings = { CLAVIGER_ARCHIVES: join(temporaryFolder(), 'archives') }
  const answers = async (more: Settings) => await served(dataFolder, more, (url) => listed(url, by))
  const before = await answers(settings)
  const own = { CLAVIGER_DATA: dataFolder }
  const made = await runCommand(['archive', 'make', '--to', settings.CLAVIGER_ARCHIVES, '--json'], own)
  assert.equal(made.code, 0, made.output)
  assert.deepEqual(await answers(settings), before)
  assert.ok((await answers({})).length < 10)

  const { files } = JSON.parse(made.output.trimEnd().split('\n').at(-1) ?? '')
  rmSync(files[0].path)
  const service = await runService('serve', { dataFolder, ...settings })
  try {
    await assert.rejects(listed(service.url, by), /list_activities: 503 .*the same request may be sent again/)
    assert.equal((await page(service.url, by, { limit: '1' })).length, 1)
    assert.match(
      service.output(),
      /"event":"outage","of":"archives","detail":"70\d activities were archived in activities-\S+, and it is not in /,
    )
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
  } finally {
    await service.kill()
  }
})

type As = { readonly organizationId: string; readonly key: StampKey }

/** Data with activities of a year ago, and some of today. */
async function aYearAgo(): Promise<{ readonly dataFolder: string; readonly by: As }> {
  const { dataFolder, key } = founder()
  const by = { organizationId: (await init(dataFolder, key)).organizationId, key }
  const [first = assert.fail()] = await served(dataFolder, {}, async (url) => {
    await signs(url, by)
    return await page(url, by, { limit: '1' })
  })
  copyActivity(dataFolder, { activityId: JSON.parse(first).id, name: 'no such text' }, [1, COPIES])
  ageActivities(dataFolder, YEAR_MS)
  await served(dataFolder, {}, (url) => signs(url, by))
  return { dataFolder, by }
}

async function served<T>(
  dataFolder: string,
  settings: Settings,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const service = await runService('serve', { dataFolder, ...settings })
  try {
    return await use(service.url)
  } finally {
    await service.kill()
  }
}

/** All activities, as they are listed page by page. */
async function listed(url: string, by: As): Promise<readonly string[]> {
  const found: string[] = []
  for (let after: string | undefined; ; ) {
    const next = await page(url, by, { limit: '100', ...(after === undefined ? {} : { after }) })
    found.push(...next)
    if (next.length < 100) return found
    after = JSON.parse(next.at(-1) ?? '').id
  }
}

async function page(
  url: string,
  { organizationId, key }: As,
  paginationOptions: object,
): Promise<readonly string[]> {
  const asked = { organizationId, paginationOptions }
  const answer = await post(url, { organizationId, key }, '/public/v1/query/list_activities', asked)
  return answer.activities.map((activity: object) => JSON.stringify(activity))
}
