import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { say as shell } from '../../console/shell/words.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { assertAccessible } from './accessible.ts'
import { type ConsoleSetting, consoleTests, signOut } from './console-setting.ts'

const consoleTest = await consoleTests()

/** One of everything that a screen of its own shows. */
async function furnished({ root, user, subOrganization }: ConsoleSetting): Promise<void> {
  const { client, activity } = root
  const ada = await user(root, 'Ada')
  await client.createUserTag(activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Staff', userIds: [] }))
  await client.createPrivateKeyTag(
    activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', { privateKeyTagName: 'Cold', privateKeyIds: [] }),
  )
  await client.createPrivateKeys(
    activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [
        {
          privateKeyName: 'Till',
          curve: 'CURVE_SECP256K1' as const,
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_ETHEREUM' as const],
        },
      ],
    }),
  )
  await client.createWallet(
    activity('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Savings', accounts: [], mnemonicLength: 12 }),
  )
  await client.createPolicy(
    activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Two agree',
      effect: 'EFFECT_ALLOW' as const,
      condition: "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
      consensus: 'approvers.count() >= 2',
      notes: '',
    }),
  )
  await client.createSmartContractInterface(
    activity('ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE', {
      smartContractAddress: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      smartContractInterface: JSON.stringify([{ type: 'function', name: 'pause', inputs: [] }]),
      type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
      label: 'USDC',
    }),
  )
  await client.createWebhookEndpoint(
    activity('ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', {
      url: 'http://127.0.0.1:9/hooks',
      name: 'Ledger',
      subscriptions: [{ eventType: 'ACTIVITY_UPDATES' as const, isActive: true }],
    }),
  )
  await subOrganization('Customer', ['Eve'])
  // It waits for a second person.
  await ada.client.createUserTag(
    ada.activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Asked', userIds: [] }),
  )
}

/** The heading of a screen that has all that it asked for, and met nothing wrong. */
async function headingOf(page: Page): Promise<string> {
  const problem = page.locator('main:not(.alone) [role=alert]')
  await page.locator('main:not(.alone):has(h1):not(:has(.busy))').or(problem).first().waitFor()
  assert.deepEqual(await problem.allInnerTexts(), [], page.url())
  return await page.locator('main h1').innerText()
}

/** What the menu leads to, by the addresses: every screen that there is. */
async function screensOf(page: Page): Promise<ReadonlyMap<string, string>> {
  const links = await page.locator('nav.nav a').all()
  return new Map(
    await Promise.all(links.map(async (link) => [await addressOf(link), await link.innerText()] as const)),
  )
}

/** What follows `#`. */
async function addressOf(link: Locator): Promise<string> {
  return present(await link.getAttribute('href'), 'a link').slice(1)
}

/** In a page of its own, and once more after a reload. */
async function opened({ open }: ConsoleSetting, address: string): Promise<{ heading: string; page: Page }> {
  const page = await open(address)
  const heading = await headingOf(page)
  await page.reload()
  assert.equal(await headingOf(page), heading)
  assert.notEqual(heading, shell.texts.en.nowhere)
  return { heading, page }
}

/** `#/users/0198…/mfa` is of the form `/users/ID/mfa`. */
function formOf(address: string): string {
  return address.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
}

consoleTest('signing in at the address of a screen leads to that screen', async (setting) => {
  const menu = await screensOf(await setting.signedIn())
  assert.ok(menu.size > 12)
  for (const [address, title] of menu) {
    for (const page of setting.browser.pages().slice(1)) {
      await signOut(page)
      await page.close()
    }
    const page = await setting.open(address)
    await page.getByText('With an API key').click()
    const { organizationId, publicKey, privateKey } = setting.root
    const key = JSON.stringify({ organizationId, publicKey, privateKey })
    await page.getByLabel('Or paste it').fill(key)
    await page.getByRole('button', { name: 'Sign in with this key' }).click()
    assert.equal(await headingOf(page), title)
  }
})

consoleTest(
  'every screen, and every place that one leads to, is shown at its own address, after a reload too, and axe finds nothing there',
  async (setting, t) => {
    await furnished(setting)
    const menu = await screensOf(await setting.signedIn())
    const seen = new Map<string, string>()
    const addresses = [...menu.keys()]
    for (const address of addresses) {
      if (seen.has(formOf(address))) continue
      const { heading, page } = await opened(setting, address)
      seen.set(formOf(address), heading)
      await assertAccessible(page)
      // The list grows while it is gone through.
      for (const link of await page.locator('main a[href^="#/"]').all()) addresses.push(await addressOf(link))
      await page.close()
    }
    t.diagnostic([...seen].map(([form, heading]) => `${form}: ${heading}`).join('\n'))
    for (const [address, title] of menu) assert.equal(seen.get(address), title)
    const withId = ['approvals', 'activities', 'policies', 'contracts', 'users', 'wallets', 'wallets/keys']
    for (const path of [...withId, 'tags/users', 'tags/keys', 'sub-organizations', 'webhooks'])
      assert.ok(seen.has(`/${path}/ID`), `${path} led to ${[...seen.keys()].join(' ')}`)
  },
)

consoleTest('an address that names nothing is no fault of the page, at any screen', async (setting) => {
  const menu = await screensOf(await setting.signedIn())
  for (const address of menu.keys())
    for (const rest of ['0198c5a0-7d3c-7000-8000-000000000001', '%ff/..']) {
      const page = await setting.open(`${address}/${rest}`)
      const main = page.locator('main:not(.alone)')
      await main.locator(':is(h1, [role=alert])').first().waitFor()
      await page.locator('main:not(:has(.busy))').waitFor()
      assert.doesNotMatch(await main.innerText(), /fault of its own/, page.url())
      await page.close()
    }
  const page = await setting.open('/no-such-screen/1')
  assert.equal(await headingOf(page), shell.texts.en.nowhere)
})
