import assert from 'node:assert/strict'
import { generateP256KeyPair } from '@turnkey/crypto'
import type { Page } from 'playwright-core'
import { present } from '../../src/trusted/base/assert.ts'
import type { Person } from '../clients/setting.ts'
import { type ConsoleSetting, consoleTests, signOut } from './console-setting.ts'

const consoleTest = await consoleTests()

/** Turns what follows it, and is markup. */
const LYING_NAME = '\u202e<b>Shop</b>'

async function opened(setting: ConsoleSetting): Promise<Page> {
  const page = await setting.signedIn('/sub-organizations')
  await page.getByText('Make a sub-organization').click()
  return page
}

async function organization({ root }: ConsoleSetting, organizationId: string) {
  return (await root.client.getOrganization({ organizationId })).organizationData
}

async function idOnPage(page: Page): Promise<string> {
  await page.getByText('The id of the new organization').waitFor()
  return await page.locator('p', { hasText: 'The id of the new organization' }).getByRole('link').innerText()
}

consoleTest(
  'a sub-organization is made with three root users, each with a way in of another kind',
  async (setting) => {
    const { look } = setting
    const page = await opened(setting)
    const create = page.getByRole('button', { name: 'Make', exact: true })
    await page.getByLabel('Name of the sub-organization').fill('Shop')
    const first = page.getByRole('group', { name: 'Root user 1' })
    await first.getByLabel('Name of the user').fill('Ada')
    await first.getByLabel('Public key of the API key').fill(generateP256KeyPair().publicKey)
    for (const [number, name] of [
      [2, 'Grace'],
      [3, 'Joan'],
    ] as const) {
      await page.getByRole('button', { name: 'One more root user' }).click()
      await page
        .getByRole('group', { name: `Root user ${number}` })
        .getByLabel('Name of the user')
        .fill(name)
    }
    const second = page.getByRole('group', { name: 'Root user 2' })
    await second.getByLabel('Way in').selectOption('A passkey of this device')
    assert.ok(await create.isDisabled())
    await second.getByRole('button', { name: 'Make the passkey' }).click()
    await second.getByText('The passkey is made').waitFor()
    const third = page.getByRole('group', { name: 'Root user 3' })
    await third.getByLabel('Way in').selectOption('A code by mail')
    await third.getByLabel('E-mail address of the user').fill('joan@example.com')
    await page.getByText('Each of them may then do everything alone.').waitFor()
    await page.getByLabel('How many of them it takes').fill('4')
    await page.getByText('There are not so many root users.').waitFor()
    assert.ok(await create.isDisabled())
    await page.getByLabel('How many of them it takes').fill('3')
    await page.getByText('None can be spared').waitFor()
    await page.getByLabel('How many of them it takes').fill('2')
    await look(page, 'sub-organization-new')
    await page.getByLabel('Name of the sub-organization').fill(LYING_NAME)
    await create.click()
    const organizationId = await idOnPage(page)
    const made = await organization(setting, organizationId)
    assert.equal(made.name, LYING_NAME)
    assert.equal(made.rootQuorum?.threshold, 2)
    const ways = (made.users ?? []).map((user) => [
      user.userName,
      user.apiKeys.length,
      user.authenticators.length,
      user.userEmail,
    ])
    assert.deepEqual(ways, [
      ['Ada', 1, 0, undefined],
      ['Grace', 0, 1, undefined],
      ['Joan', 0, 0, 'joan@example.com'],
    ])

    await page.getByRole('link', { name: organizationId }).click()
    await page.getByRole('heading', { name: '⟨U+202E⟩<b>Shop</b>' }).waitFor()
    await page.getByText('joan@example.com').waitFor()
    await page.getByText('It has no wallets.').waitFor()
    await look(page, 'sub-organization')
    await page.getByRole('link', { name: 'All sub-organizations' }).click()
    await page.getByRole('link', { name: '⟨U+202E⟩<b>Shop</b>' }).waitFor()

    // Grace signs in with the passkey that was made before there was an organization.
    await signOut(page)
    await page.getByLabel('Organization').fill(organizationId)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText(/Grace/).first().waitFor()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  },
)

consoleTest('what the service refuses of a sub-organization leaves what was typed', async (setting) => {
  const { user, root, signedIn } = setting
  const page = await signedIn('/sub-organizations', await user(root, 'Eve'))
  await page.getByText('Make a sub-organization').click()
  await page.getByLabel('Name of the sub-organization').fill('Mine')
  await page.getByLabel('Name of the user').fill('Eve')
  await page.getByLabel('Public key of the API key').fill(generateP256KeyPair().publicKey)
  await page.getByRole('button', { name: 'Make', exact: true }).click()
  await page.getByText('The service refused this').waitFor()
  assert.equal(await page.getByLabel('Name of the sub-organization').inputValue(), 'Mine')
})

consoleTest('a sub-organization is deleted by its own root user, who types its name', async (setting) => {
  const { signedIn, look } = setting
  const [ada] = await setting.subOrganization('Short-lived', ['Ada'])
  const person: Person = present(ada, 'one user')
  await person.client.createWallet(
    person.activity('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Till', accounts: [] }),
  )
  const page = await signedIn('/settings', person)
  const remove = page.getByRole('button', { name: 'Delete the organization', exact: true })
  await remove.waitFor()
  assert.ok(await remove.isDisabled())
  await page.getByLabel('Type the name of the organization').fill('Short-lived')
  await remove.click()
  await page.getByText(/Never exported: wallets 1, private keys 0/).waitFor()
  await look(page, 'organization-delete')
  await page.getByRole('button', { name: /yes, really/ }).click()
  await page.getByText('Carried out').waitFor()
  const { organizationIds } = await setting.root.client.getSubOrgIds({
    organizationId: setting.root.organizationId,
    filterType: 'NAME',
    filterValue: 'Short-lived',
  })
  assert.deepEqual(organizationIds, [])
})

consoleTest(
  'an organization without a parent is not deleted, and neither is one by a part of its quorum',
  async (setting) => {
    const { signedIn } = setting
    const page = await signedIn('/settings')
    await page.getByLabel('Type the name of the organization').fill('Development')
    await page.getByRole('button', { name: 'Delete the organization', exact: true }).click()
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page.getByText('is not a sub-organization').waitFor()
    const [ada] = await setting.subOrganization('Two of two', ['Ada', 'Grace'], 2)
    const other = await signedIn('/settings', ada)
    await other.getByLabel('Type the name of the organization').fill('Two of two')
    await other.getByRole('button', { name: 'Delete the organization', exact: true }).click()
    await other.getByRole('button', { name: /yes, really/ }).click()
    await other.getByText('Waits for approval').waitFor()
  },
)
