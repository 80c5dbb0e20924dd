import type { Locator, Page } from 'playwright-core'
import { present } from '../../src/trusted/base/assert.ts'
import type { Person } from '../clients/setting.ts'

/** What a person does in one screen. */
type Walk = {
  readonly what: string
  readonly path: string
  readonly isApprover?: true
  readonly walk: (page: Page, root: Person) => Promise<void>
}

const PAGE = 50
const TURNS = 10
const CHANGES = 40

export function walks(subOrganizations: number): readonly Walk[] {
  return [
    {
      what: 'sub-organizations, ten pages and two searches',
      path: '/sub-organizations',
      walk: async (page) => {
        await turned(page)
        await typed(page, 'Begins with', `Customer ${subOrganizations}`)
        await page.locator('ul.cards > li').nth(1).waitFor({ state: 'detached' })
        await page.getByLabel('Search by').selectOption('EMAIL')
        await typed(page, 'Begins with', 'person-777@')
        await page.getByText('Customer 777', { exact: true }).waitFor()
      },
    },
    {
      what: `activities, ten pages, a rare name and ${CHANGES} changes`,
      path: '/activities',
      walk: async (page, root) => {
        await turned(page)
        await typed(page, 'Name in it', 'Seed tag 777')
        await page.getByText('Seed tag 777', { exact: true }).waitFor()
        await typed(page, 'Name in it', '')
        for (let change = 0; change < CHANGES; change++) {
          const tag = { userTagName: `Live ${Date.now()} ${change}`, userIds: [] }
          await root.client.createUserTag(root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', tag))
        }
        await page
          .getByText(new RegExp(`Live \\d+ ${CHANGES - 1}$`))
          .first()
          .waitFor()
      },
    },
    {
      what: 'audit log, and a file of 5,000 records',
      path: '/audit',
      walk: async (page) => {
        const saved = page.waitForEvent('download')
        await page.getByRole('button', { name: 'Save as CSV' }).click()
        await saved
      },
    },
    {
      what: 'approvals, fifty transactions that wait',
      path: '/approvals',
      isApprover: true,
      walk: async (page) => {
        await page.reload()
        await cards(page)
          .nth(PAGE - 1)
          .waitFor()
        await cards(page).first().getByRole('link').click()
        await page.getByRole('button', { name: 'Approve' }).waitFor()
      },
    },
  ]
}

function cards(page: Page): Locator {
  return page.locator('ul.cards > li')
}

async function turned(page: Page): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    await cards(page)
      .nth(PAGE - 1)
      .waitFor()
    const first = present(await cards(page).first().textContent(), 'what stands in it')
    await page.getByRole('button', { name: 'Next page' }).click()
    await cards(page).filter({ hasText: first }).waitFor({ state: 'detached' })
  }
}

async function typed(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).fill('')
  await page.getByLabel(label).pressSequentially(text)
}
