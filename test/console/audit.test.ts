import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { csv, jsonLines } from '../../console/screens/audit/exported.ts'
import { eventually } from '../support/eventually.ts'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

async function saved(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return readFileSync(await download.path(), 'utf8')
}

consoleTest(
  'the record says who did what and by which policy, is filtered by user, type and time, and saved',
  async (setting) => {
    const { root, user, signedIn, look } = setting
    const ada = await user(root, 'Ada')
    await root.client.createPolicy(
      root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
        policyName: 'Ada makes tags',
        effect: 'EFFECT_ALLOW' as const,
        condition: "activity.kind == 'CREATE_USER_TAG'",
        consensus: `approvers.any(user, user.id == '${ada.userId}')`,
        notes: '',
      }),
    )
    const formula = '=HYPERLINK("http://example.com";"x")'
    for (const userTagName of ['Auditors', formula])
      await ada.client.createUserTag(
        ada.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] }),
      )
    const page = await signedIn('/audit')
    const cards = page.locator('.cards > li')
    await cards.filter({ hasText: 'CREATE_POLICY' }).getByText('decided by no policy').waitFor()
    await page.getByLabel('User who has voted').selectOption(ada.userId)
    await cards.filter({ hasText: 'CREATE_POLICY' }).waitFor({ state: 'detached' })
    await eventually(async () => (await cards.count()) === 2)
    const auditors = cards.filter({ hasText: 'Auditors' })
    assert.match(
      (await auditors.innerText()).replace(/[\u2068\u2069]/g, ''),
      /allowed by “Ada makes tags” \(…[\da-f]{8}\)/,
    )
    await auditors.getByText('Facts to compare').click()
    await auditors.getByText('the same as the record says').waitFor()
    await look(page, 'audit')

    const lines = (await saved(page, 'Save as JSON lines')).trimEnd().split('\n')
    await page.getByText('2 records.').waitFor()
    const [first, second] = lines.map((line) => JSON.parse(line))
    assert.deepEqual([first.names, second.names], [[formula], ['Auditors']])
    assert.equal(first.userName, 'Ada')
    assert.match(first.fingerprint, /^sha256:[0-9a-f]{64}$/)
    assert.equal(first.decidedBy[0].outcome, 'OUTCOME_ALLOW')
    const table = await saved(page, 'Save as CSV')
    assert.match(table, /"'=HYPERLINK\(""http/)

    await page.getByLabel('Type, such as').fill('create policy')
    await page.getByText('There are no such records.').waitFor()
    await page.getByLabel('User who has voted').selectOption('Everybody')
    await cards.filter({ hasText: 'CREATE_POLICY' }).waitFor()
    await page.getByLabel('Before (UTC)').fill('2001-01-01T00:00')
    await page.getByText('There are no such records.').waitFor()
  },
)

consoleTest(
  'a type is looked for after a pause in typing, and not with each letter',
  async ({ signedIn }) => {
    const page = await signedIn()
    await page.clock.install()
    await page.evaluate("location.hash = '/audit'")
    await page.locator('.cards > li').first().waitFor()
    const kinds: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/list_activity_summaries'))
        kinds.push(...(request.postDataJSON().filterByKind ?? []))
    })
    await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 1_000)
    for (const letter of 'policy') {
      await page.getByLabel('Type, such as').press(letter)
      await page.clock.runFor(100)
    }
    await page.clock.resume()
    await page.getByText('There are no such records.').waitFor()
    assert.deepEqual(kinds, ['POLICY'])
  },
)

consoleTest('a host whose bytes have another fingerprint than it says is not believed', async (setting) => {
  const page = await setting.signedIn('/audit')
  await page.route('**/query/list_activity_summaries', async (route) => {
    const answer = (await (await route.fetch()).json()) as {
      readonly activities: readonly { fingerprint: string }[]
    }
    for (const activity of answer.activities) activity.fingerprint = `sha256:${'0'.repeat(64)}`
    await route.fulfill({ json: answer })
  })
  await page.reload()
  const card = page.locator('.cards > li').first()
  await card.getByText('Facts to compare').click()
  await card.getByText('If this one has none, do not trust this host.').waitFor()
  assert.doesNotMatch(await card.innerText(), /0{64}/)
})

consoleTest('a host that leads round in circles ends the saving', async (setting) => {
  const page = await setting.signedIn('/audit')
  await page.locator('.cards > li').first().waitFor()
  await page.route('**/query/list_activity_summaries', (route) =>
    route.fulfill({ json: { activities: [], next: 'ffffffff-0000-7000-8000-000000000000' } }),
  )
  assert.equal(await saved(page, 'Save as JSON lines'), '')
})

consoleTest(
  'saving ends with the screen: nothing more is asked for, and no file appears',
  async (setting) => {
    const page = await setting.signedIn('/audit')
    await page.locator('.cards > li').first().waitFor()
    // A record without an end, of which each page is asked for when the one before has come.
    let asked = 0
    let answer = (): void => undefined
    await page.route('**/query/list_activity_summaries', async (route) => {
      asked += 1
      const next = `${(0xffffffff - asked).toString(16)}-0000-7000-8000-000000000000`
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      await route.fulfill({ json: { activities: [], next } })
    })
    let files = 0
    page.on('download', () => {
      files += 1
    })
    await page.getByRole('button', { name: 'Save as JSON lines' }).click()
    for (const times of [1, 2, 3]) {
      await eventually(() => asked === times)
      answer()
    }
    await eventually(() => asked === 4)
    await page.getByRole('link', { name: 'Messages' }).click()
    await page.getByRole('heading', { name: 'Messages' }).waitFor()
    const late = page.waitForResponse('**/query/list_activity_summaries')
    answer()
    await late
    // What the page does with the answer is done before a later answer has come to it.
    await page.evaluate("fetch('./').then((answer) => answer.text())")
    assert.deepEqual([asked, files], [4, 0])
  },
)

consoleTest('times are chosen in UTC, as they are shown, wherever the browser is', async ({ signedIn }) => {
  const page = await signedIn('/audit')
  const browser = await page.context().newCDPSession(page)
  await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' })
  assert.equal(await page.evaluate('new Date(0).getHours()'), 9)
  const from = page.waitForRequest((request) => request.postData()?.includes('createdFrom') === true)
  await page.getByLabel('From (UTC)').fill('2026-11-23T10:00')
  assert.equal((await from).postDataJSON().createdFrom, String(Date.UTC(2026, 10, 23, 10)))
  const before = page.waitForRequest((request) => request.postData()?.includes('createdBefore') === true)
  await page.getByLabel('Before (UTC)').fill('2026-11-24T00:00')
  assert.equal((await before).postDataJSON().createdBefore, String(Date.UTC(2026, 10, 24)))
})

consoleTest('a number of saved records is that of the filter that is shown', async ({ signedIn }) => {
  const page = await signedIn('/audit')
  await page.locator('.cards > li').first().waitFor()
  const count = page.locator('[role=status]', { hasText: /\d records\./ })
  await saved(page, 'Save as JSON lines')
  await count.waitFor()
  await page.getByLabel('Type, such as').fill('delete policy')
  await count.waitFor({ state: 'detached' })
  await page.getByLabel('Type, such as').fill('')
  await count.waitFor()
  // Of a file that was not saved there is no number.
  let answers = 0
  await page.route('**/query/list_activity_summaries', async (route) => {
    // The list of the screen may still be looked for, in pages of another length.
    if (route.request().postDataJSON().limit !== '100') return await route.continue()
    answers += 1
    if (answers > 1) return await route.fulfill({ status: 500, json: { code: 13, message: 'broken' } })
    const answer = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...answer, next: 'ffffffff-0000-7000-8000-000000000000' } })
  })
  await page.getByRole('button', { name: 'Save as JSON lines' }).click()
  await page.getByText(/refused this: .?broken/).waitFor()
  assert.equal(await count.count(), 0)
})

consoleTest('another organization reads nothing of the record', async (setting) => {
  const [eve] = await setting.subOrganization('Others', ['Eve'])
  assert.ok(eve !== undefined)
  const page = await setting.signedIn('/audit', eve)
  await page.locator('.cards > li').first().waitFor()
  // There is her own login, and nothing of what was done above.
  assert.doesNotMatch(await page.locator('.cards').innerText(), /Ada|Auditors|CREATE/)
  assert.doesNotMatch(await saved(page, 'Save as JSON lines'), /Ada|Auditors/)
})

test('no text of a record is a formula in a table, wherever a spreadsheet begins a cell', () => {
  const record = {
    activityId: 'a',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    type: 't',
    status: 's',
    userId: 'u',
    userName: '@SUM(A1)',
    names: ['+1', 'a;=1', '"=2', '\t=3', ' -4', '＝5', 'x\u202e=6', 'plain-7'],
    fingerprint: 'f',
    decidedBy: [],
  }
  const [, row = ''] = csv([record]).split('\r\n')
  for (const cell of row.split(/[",;|]/)) assert.doesNotMatch(cell, /^\s*[=+\-@＝]/, cell)
  assert.match(row, /plain-7/)
  assert.equal(csv([{ ...record, names: ['a\r\nb'] }]).split('\r\n').length, 3)
  assert.deepEqual(JSON.parse(jsonLines([record])), record)
  assert.match(jsonLines([record]), /^[\n\x20-\x7e]*$/)
})
