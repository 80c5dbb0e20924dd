import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { present } from '../../src/trusted/base/assert.ts'
import { copyActivity, copySubOrganization } from '../support/sealed-copies.ts'
import { consoleTests } from './console-setting.ts'

// Among a million, with the longest task that the page meets: `npm run scale`.
const SUB_ORGANIZATIONS = 10_000
const ACTIVITIES = 10_000
/** As the screens ask for. */
const PAGE = 50
const TURNS = 5
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
  const answers = watched(page, 'search_suborgs')
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
  await answers.assertAtMost(TURNS + 5)
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
    const answers = watched(page, 'list_activity_summaries')
    for (let change = 0; change < 40; change++) await tag(`Live ${change}`)
    await page.getByText('Live 39', { exact: true }).waitFor()
    await answers.assertAtMost(30)
    await turnedThrough(page, cards)
    await page.getByLabel('Name in it').fill('Seed tag 7777')
    await page.getByText('Seed tag 7777', { exact: true }).waitFor()
    await assertBounded(page, cards)
    assert.equal(await cards.count(), 1)
    // The service looks through 500 for one answer.
    await answers.assertAtMost(30 + TURNS + 2 * (ACTIVITIES / 500))
  },
)

async function turnedThrough(page: Page, cards: Locator): Promise<void> {
  for (let turned = 0; turned < TURNS; turned++) {
    await cards.nth(PAGE - 1).waitFor()
    const first = await cards.first().innerText()
    await page.getByRole('button', { name: 'Next page' }).click()
    await cards.first().getByText(first).waitFor({ state: 'detached' })
    assert.equal(await cards.count(), PAGE)
  }
}

async function assertBounded(page: Page, cards: Locator): Promise<void> {
  assert.ok((await cards.count()) <= PAGE)
  const elements = await page.locator('*').count()
  assert.ok(elements <= PAGE * CARD_ELEMENTS_MAX + PAGE_ELEMENTS_MAX, `${elements} elements`)
}

/** Counts what the page asks, and weighs what it is answered. */
function watched(
  page: Page,
  operation: string,
): { readonly assertAtMost: (requests: number) => Promise<void> } {
  const answers: Promise<number>[] = []
  page.on('response', (response) => {
    if (!response.url().endsWith(`/query/${operation}`)) return
    // One whose answer nobody waits for any more is gone with the page that asked.
    answers.push(
      response.body().then(
        ({ length }) => length,
        () => 0,
      ),
    )
  })
  return {
    assertAtMost: async (requests) => {
      assert.ok(answers.length <= requests, `${answers.length} requests`)
      const longest = Math.max(...(await Promise.all(answers)))
      assert.ok(longest > 0 && longest <= ANSWER_BYTES_MAX, `${longest} bytes`)
    },
  }
}
