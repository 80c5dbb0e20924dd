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

/** What stands behind a name. */
const end = (id: string): string => ` (…${id.slice(-8)})`

consoleTest(
  'a template is filled in by name, checked as one types, tried, and asked for as one activity',
  async (setting) => {
    const { root, user, signedIn, look } = setting
    const ada = await user(root, 'Ada')
    await aWallet(setting, 'Safe')
    await root.client.createPrivateKeys(
      root.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
        privateKeys: [
          {
            privateKeyName: 'Treasury',
            curve: 'CURVE_SECP256K1' as const,
            privateKeyTags: [],
            addressFormats: ['ADDRESS_FORMAT_ETHEREUM' as const],
          },
        ],
      }),
    )
    const till = await aWallet(setting, 'Till')

    const page = await signedIn('/policies')
    await page.getByRole('link', { name: 'Begin with a template' }).click()
    await page.getByRole('link', { name: 'Nobody exports' }).waitFor()
    await page.getByText('Names in “ ” are what the server calls these ids.').waitFor()
    await look(page, 'policy-templates')
    await page.getByRole('link', { name: 'Transfers up to an amount' }).click()
    const ask = page.getByRole('button', { name: 'Ask for this change' })
    const source = page.getByLabel('Wallet or private key')
    assert.match(await source.innerText(), /Treasury.* \(private key\)/)
    await source.selectOption(`wallet ${till}`)
    await page.getByText('This has to be filled in.').first().waitFor()
    assert.equal(await ask.count(), 0)
    await page.getByLabel('Amount').fill('1,5')
    await page.getByText('This is no amount').waitFor()
    assert.equal(await ask.count(), 0)
    await look(page, 'policy-template-with-a-mistake')
    await page.getByLabel('Amount').fill('1.5')
    await page.getByLabel('Coin').selectOption({ label: 'ETH, Sepolia' })
    // A tag that is missing is made on the way, and nothing of the form is lost.
    await page.getByText('There is none yet.').waitFor()
    assert.equal(await ask.count(), 0)
    await page.getByText('Make a tag').click()
    await page.getByLabel('Name of the tag').fill('finance')
    await page.getByRole('checkbox', { name: 'Ada' }).check()
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByText(/^With this tag: .*Ada/).waitFor()
    assert.equal(await page.getByLabel('Amount').inputValue(), '1.5')
    assert.equal(await page.getByLabel('Name of the tag').inputValue(), '')
    await ask.waitFor()
    const { userTags } = await root.client.listUserTags({ organizationId: root.organizationId })
    const tagId = userTags[0]?.tagId ?? ''
    const [small = '', large = ''] = await textsOf(page, 'section p.note')
    assert.ok(small.startsWith('Allows requests where the kind of activity is'), small)
    const amount = '1.5 test ETH (1500000000000000000 wei)'
    assert.ok(small.includes(`the amount sent is at most ${amount}`), small)
    assert.ok(large.includes(`the amount sent is more than ${amount}`), large)
    for (const text of [small, large]) {
      assert.ok(text.includes(`the wallet is “Till”${end(till)}`), text)
      assert.ok(text.includes(`the tag “finance”${end(tagId)}`), text)
      assert.ok(text.includes('the chain is Sepolia, a test network (chain 11155111)'), text)
    }
    const texts = (await textsOf(page, 'section dd code')).join()
    assert.ok(texts.includes(`'${till}'`) && texts.includes(`'${tagId}'`), texts)
    await page.getByText('Nothing to look at.').or(page.locator('section .note strong')).first().waitFor()

    await page.getByText('The server judges the last thousand activities again').waitFor()
    await page.getByText('Try it on a request').click()
    await page.getByText('The server judges the request and does not make it.').waitFor()
    await page.getByLabel('Asked for by').selectOption(ada.userId)
    await page.getByRole('button', { name: 'Try it', exact: true }).click()
    const tried = page.locator('details p[role=status]')
    await tried.waitFor()
    assert.equal(await tried.innerText(), 'By the policies of now: denied With what stands here: denied')
    await look(page, 'policy-template')

    const sent = page.waitForRequest('**/submit/create_policies')
    await ask.click()
    // The tag was carried out before.
    await page.locator('[role=status]', { hasText: 'Carried out' }).nth(1).waitFor()
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

consoleTest(
  'things whose names look alike are told apart wherever one of them is chosen',
  async (setting) => {
    const { root, user, signedIn } = setting
    // The other one has a letter of another alphabet.
    const bots = [await user(root, 'Bot'), await user(root, 'B\u043et')].map(({ userId }) => userId)
    const tills = [await aWallet(setting, 'Purse'), await aWallet(setting, 'P\u0443rse')]
    const page = await signedIn('/policies/templates/agent')
    const field = page.getByLabel('User', { exact: true })
    await field.waitFor()
    const users = await textsOf(page, 'select:has(option[value="' + bots[0] + '"]) option')
    const wallets = await textsOf(page, 'select:has(option[value^="wallet "]) option')
    for (const id of bots)
      assert.ok(
        users.some((text) => /^B.t/.test(text) && text.endsWith(end(id))),
        users.join(),
      )
    for (const id of tills)
      assert.ok(
        wallets.some((text) => text.endsWith(end(id))),
        wallets.join(),
      )

    await page.goto(`${setting.consoleUrl}#/users/quorum`)
    await page.getByRole('checkbox', { name: `Bot${end(bots[0] ?? '')}` }).waitFor()
    const labels = await textsOf(page, 'label.tick')
    for (const id of bots)
      assert.ok(
        labels.some((text) => text.trim().endsWith(end(id).trim())),
        labels.join(),
      )
  },
)

consoleTest('one person with a tag is not shown as several', async (setting) => {
  const { root, user, signedIn } = setting
  const { userId } = await user(root, 'Ada, Grace” and “Hedy')
  await root.client.createUserTag(
    root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'board', userIds: [userId] }),
  )
  const page = await signedIn('/policies/templates/policyChanges')
  const tag = page.getByLabel('Tag of users')
  const option = tag.locator('option', { hasText: 'board' })
  await tag.selectOption(await option.getAttribute('value'))
  await page.getByText(/^With this tag: /).waitFor()
  const [hint = ''] = (await textsOf(page, 'p.hint')).filter((text) => text.startsWith('With this tag'))
  assert.equal(hint, `With this tag: “Ada, Grace' and 'Hedy”${end(userId)}.`)
})

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
