import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { present } from '../../src/trusted/base/assert.ts'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

const SHOP = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

async function aWallet({ root }: Parameters<Parameters<typeof consoleTest>[1]>[0], walletName: string) {
  const { activity } = await root.client.createWallet(
    root.activity('ACTIVITY_TYPE_CREATE_WALLET', { walletName, accounts: [] }),
  )
  return activity.result.createWalletResult?.walletId ?? ''
}

async function textsOf(page: Page, selector: string): Promise<readonly string[]> {
  return (await page.locator(selector).allInnerTexts()).map((text) => text.replaceAll(/[\u2068\u2069]/g, ''))
}

consoleTest(
  'a template is filled in by name, checked as one types, tried, and asked for as one activity',
  async (setting) => {
    const { root, user, signedIn, look } = setting
    const tag = await root.client.createUserTag(
      root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'finance', userIds: [] }),
    )
    const tagId = tag.activity.result.createUserTagResult?.userTagId ?? ''
    const ada = await user(root, 'Ada', [tagId])
    await aWallet(setting, 'Safe')
    const till = await aWallet(setting, 'Till')

    const page = await signedIn('/policies')
    await page.getByRole('link', { name: 'Begin with a template' }).click()
    await page.getByRole('link', { name: 'Nobody exports' }).waitFor()
    await look(page, 'policy-templates')
    await page.getByRole('link', { name: 'Transfers up to an amount' }).click()
    const ask = page.getByRole('button', { name: 'Ask for this change' })
    await page.getByLabel('Wallet').selectOption({ label: 'Till' })
    await page.getByText('This has to be filled in.').waitFor()
    assert.equal(await ask.count(), 0)
    await page.getByLabel('Amount').fill('1,5')
    await page.getByText('This is no amount').waitFor()
    assert.equal(await ask.count(), 0)
    await look(page, 'policy-template-with-a-mistake')
    await page.getByLabel('Amount').fill('1.5')
    await ask.waitFor()
    const [small = '', large = ''] = await textsOf(page, 'section p.note')
    assert.ok(small.startsWith('Allows requests where the kind of activity is'), small)
    assert.ok(small.includes('eth.tx.value is at most 1500000000000000000'), small)
    assert.ok(large.includes('eth.tx.value is more than 1500000000000000000'), large)
    for (const text of [small, large])
      assert.ok(text.includes(`'${till}'`) && text.includes(`'${tagId}'`), text)
    await page.getByText('Nothing to look at.').or(page.locator('section .note strong')).first().waitFor()

    await page.getByText('Try it on a request').click()
    await page.getByLabel('Asked for by').selectOption({ label: 'Ada' })
    await page.getByRole('button', { name: 'Try it', exact: true }).click()
    const tried = page.locator('details [role=status]')
    await tried.waitFor()
    assert.equal(await tried.innerText(), 'By the policies of now: denied With these policies: denied')
    await look(page, 'policy-template')

    const sent = page.waitForRequest('**/submit/create_policies')
    await ask.click()
    await page.locator('[role=status]', { hasText: 'Carried out' }).waitFor()
    assert.equal(await ask.count(), 0)
    const { parameters } = JSON.parse((await sent).postData() ?? '')
    const conditions = await textsOf(page, 'section dd code')
    assert.deepEqual(
      parameters.policies.flatMap((policy: { condition: string; consensus: string }) => [
        policy.condition,
        policy.consensus,
      ]),
      conditions,
    )
    const { policies } = await ada.client.getPolicies({ organizationId: root.organizationId })
    assert.deepEqual(
      policies.map(({ policyName }) => policyName).toSorted(),
      [1, 2].map((at) => `Transfers up to an amount need one person, more need two (${at}/2)`),
    )
  },
)

consoleTest('what the service names by other things than ids comes into no policy', async (setting) => {
  const { signedIn } = setting
  await aWallet(setting, 'Another')
  const page = await signedIn('/policies')
  await page.route('**/public/v1/query/list_wallets', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    for (const wallet of answer.wallets) wallet.walletId = "' || activity.action != '"
    await route.fulfill({ response, json: answer })
  })
  await page.evaluate("location.hash = '#/policies/templates/addresses'")
  await page.getByLabel('Addresses').fill(`${SHOP}\n${SHOP.replace('C44', 'c44')}`)
  await page.getByText('The service gave something that is no id').waitFor()
  await page.getByText('The letters of this address do not fit together').waitFor()
  await page.getByLabel('Addresses').fill(SHOP)
  await page.getByText('The letters of this address do not fit together').waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('button', { name: 'Ask for this change' }).count(), 0)
  await page.unroute('**/public/v1/query/list_wallets')
})

consoleTest(
  'a template is reached and filled in by the keyboard alone, at its own address',
  async (setting) => {
    const page = await setting.signedIn('/policies/templates/exports')
    await page.getByRole('heading', { name: 'Nobody exports', level: 2 }).first().waitFor()
    const name = page.getByLabel('Name')
    await name.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('No exports at all')
    await page.getByRole('heading', { name: 'No exports at all' }).waitFor()
    await page.keyboard.press('Tab')
    const focused = present(await page.evaluate('document.activeElement.textContent'), 'a button')
    assert.equal(focused, 'Ask for this change')
    await page.keyboard.press('Enter')
    await page.locator('[role=status]', { hasText: 'Carried out' }).waitFor()
  },
)
