import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { present } from '../../src/trusted/base/assert.ts'
import { eventually } from '../support/eventually.ts'
import { copyActivity, copySubOrganization } from '../support/sealed-copies.ts'
import { consoleTests } from './console-setting.ts'

// Among a million, with the longest task that the page meets: `npm run scale`.
const SUB_ORGANIZATIONS = 10_000
const ACTIVITIES = 10_000
/** As the screens ask for. */
const PAGE = 50
const TURNS = 5
const CHANGES = 40
/** Of 50 entries. */
const ANSWER_BYTES_MAX = 64 * 1024
/** In a card of a list, and in the page around the list. */
const CARD_ELEMENTS_MAX = 16
const PAGE_ELEMENTS_MAX = 100

const consoleTest = await consoleTests()

consoleTest('a page of sub-organizations is as small among many as among few', async (setting) => {
  const { service, signedIn } = setting
  const [person] = await setting.subOrganization('Seed', ['Ada'])
  const { organizationId } = present(person, 'one user')
  copySubOrganization(service.dataFolder, organizationId, [1, SUB_ORGANIZATIONS])

  const page = await signedIn('/sub-organizations')
  const cards = page.locator('ul.cards > li')
  await cards.nth(PAGE - 1).waitFor()
  const { questions, assertSmallAnswers } = await watched(page, 'search_suborgs')
  await turnedThrough(page, cards)
  const name = `Customer ${SUB_ORGANIZATIONS}`
  await page.getByLabel('Begins with').fill(name)
  await page.getByText(name, { exact: true }).waitFor()
  assert.equal(await cards.count(), 1)
  await page.getByLabel('Search by').selectOption('EMAIL')
  await page.getByLabel('Begins with').fill('person-777')
  await page.getByText('Customer 7770', { exact: true }).waitFor()
  await page.getByLabel('Begins with').fill('')
  await cards.nth(PAGE - 1).waitFor()
  await assertBounded(page, cards)
  // For each text, and for the other kind of search, once.
  assert.ok(questions.length <= TURNS + 4, `${questions.length} requests`)
  assertSmallAnswers()
})

consoleTest(
  'a page of ten thousand activities is a page, and what happens is looked at in bursts',
  async (setting) => {
    const { service, root, signedIn } = setting
    const tag = async (userTagName: string) =>
      await root.client.createUserTag(
        root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] }),
      )
    const { id: activityId } = (await tag('Seed tag')).activity
    copyActivity(service.dataFolder, { activityId, name: 'Seed tag' }, [1, ACTIVITIES])

    const page = await signedIn('/activities')
    const cards = page.locator('ul.cards > li')
    await cards.nth(PAGE - 1).waitFor()
    const { questions, assertSmallAnswers } = await watched(page, 'list_activity_summaries')
    // From now on time passes when the test says so: however long the changes take, they take none.
    await page.clock.install()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    for (let change = 0; change < CHANGES; change++) await tag(`Live ${change}`)
    // One may have been under way.
    assert.ok(questions.length <= 1, `${questions.length} requests`)
    const last = page.getByText(`Live ${CHANGES - 1}`, { exact: true })
    let seconds = 0
    await eventually(async () => {
      await page.clock.runFor(1_000)
      seconds += 1
      return await last.isVisible()
    })
    assert.ok(questions.length <= 1 + seconds, `${questions.length} requests in ${seconds} seconds`)
    await page.clock.resume()
    await turnedThrough(page, cards)
    // Of changes that it has heard of late, the page may look at one place again.
    assert.equal(new Set(questions.map(({ after }) => after)).size, 1 + TURNS)
    await page.getByLabel('Name in it').fill('Seed tag 7777')
    await page.getByText('Seed tag 7777', { exact: true }).waitFor()
    await assertBounded(page, cards)
    assert.equal(await cards.count(), 1)
    const searched = questions.filter(({ name }) => name !== undefined).length
    // The service looks through 500 for one answer.
    assert.ok(searched <= ACTIVITIES / 500, `${searched} requests`)
    // The list before the search is another one again, and begins at its first page.
    await page.getByLabel('Name in it').fill('')
    await cards.nth(PAGE - 1).waitFor()
    assert.ok(await last.isVisible())
    assertSmallAnswers()
  },
)

consoleTest(
  'a button that is pressed twice before the next page has come turns one page',
  async (setting) => {
    const page = await setting.signedIn('/sub-organizations')
    const cards = page.locator('ul.cards > li')
    await cards.nth(PAGE - 1).waitFor()
    const first = present(await cards.first().textContent(), 'what stands in it')
    let release = (): void => undefined
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/query/search_suborgs', async (route) => {
      await isReleased
      await route.continue()
    })
    await page.getByRole('button', { name: 'Next page' }).dblclick()
    release()
    await cards.filter({ hasText: first }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Previous page' }).click()
    await cards.filter({ hasText: first }).waitFor()
  },
)

async function turnedThrough(page: Page, cards: Locator): Promise<void> {
  for (let turned = 0; turned < TURNS; turned++) {
    await cards.nth(PAGE - 1).waitFor()
    const first = present(await cards.first().textContent(), 'what stands in it')
    await page.getByRole('button', { name: 'Next page' }).click()
    await cards.filter({ hasText: first }).waitFor({ state: 'detached' })
    assert.equal(await cards.count(), PAGE)
  }
}

async function assertBounded(page: Page, cards: Locator): Promise<void> {
  assert.ok((await cards.count()) <= PAGE)
  const elements = await page.locator('*').count()
  assert.ok(elements <= PAGE * CARD_ELEMENTS_MAX + PAGE_ELEMENTS_MAX, `${elements} elements`)
}

/** As far as it matters here. */
type Question = { readonly name?: string; readonly after?: string }

/** Counts what the page asks, and weighs what it is answered. */
async function watched(
  page: Page,
  operation: string,
): Promise<{ readonly questions: readonly Question[]; readonly assertSmallAnswers: () => void }> {
  const questions: Question[] = []
  let longest = 0
  await page.route(`**/query/${operation}`, async (route) => {
    // The page writes such questions and no others.
    questions.push(route.request().postDataJSON() as Question)
    const response = await route.fetch()
    longest = Math.max(longest, (await response.body()).length)
    await route.fulfill({ response })
  })
  return {
    questions,
    assertSmallAnswers: () => assert.ok(longest > 0 && longest <= ANSWER_BYTES_MAX, `${longest} bytes`),
  }
}
