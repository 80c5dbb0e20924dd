import assert from 'node:assert/strict'
import { generateP256KeyPair } from '@turnkey/crypto'
import { consoleTests, signOut } from './console-setting.ts'

const consoleTest = await consoleTests()

consoleTest(
  'a user is added with a key, gets another one, and is deleted',
  async ({ signedIn, look, root }) => {
    const page = await signedIn('/users')
    await page.getByText('Root quorum: 1 of 1').waitFor()
    await page.getByText('Add a user').click()
    await page.getByLabel('Name', { exact: true }).fill('Grace')
    await page.getByLabel('Public key of an API key').fill(generateP256KeyPair().publicKey)
    await look(page, 'users')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('link', { name: 'Grace' }).click()
    await page.getByRole('heading', { name: 'Grace' }).waitFor()
    await page.getByText('no use noted').first().waitFor()
    await page.getByText('The host notes them, and no seal proves them.').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('This is the last lasting way in of this user').waitFor()
    await look(page, 'user')
    // What the service would refuse is not offered.
    assert.equal(await page.getByRole('button', { name: /yes, really/ }).count(), 0)
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByText('Add an API key').click()
    await page.getByLabel('Name of the API key').fill('Phone')
    await page.getByLabel('Public key of an API key').fill(generateP256KeyPair().publicKey)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Phone', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Name of the API key').inputValue(), '')
    await page.getByRole('button', { name: 'Delete', exact: true }).first().click()
    await page.getByText('cannot sign in with it any more').waitFor()
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page.getByText('Carried out').waitFor()

    await page.getByRole('button', { name: 'Delete this user' }).click()
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page.getByRole('link', { name: 'All users' }).click()
    await page.getByRole('link', { name: 'Root' }).waitFor()
    const { users } = await root.client.getUsers({ organizationId: root.organizationId })
    assert.deepEqual(
      users.map(({ userName }) => userName),
      ['Root'],
    )
  },
)

consoleTest(
  'a passkey that is made here signs in without saying the organization, and each change asks for it',
  async (setting) => {
    const { signedIn, root } = setting
    const page = await signedIn(`/users/${root.userId}`)
    await page.getByLabel('Name of the passkey').fill('This laptop')
    await page.getByRole('button', { name: 'Add a passkey of this device' }).click()
    await page.getByText('This laptop').waitFor()
    await signOut(page)
    await page.getByRole('button', { name: 'Forget these' }).click()
    await page.getByLabel('Organization').fill('')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByText('Add a user').click()
    await page.getByLabel('Name', { exact: true }).fill('Hopper')
    await page.getByLabel('Public key of an API key').fill(generateP256KeyPair().publicKey)
    const [request] = await Promise.all([
      page.waitForRequest('**/submit/create_users'),
      page.getByRole('button', { name: 'Add', exact: true }).click(),
    ])
    // The session that reads goes with no change.
    const headers = await request.allHeaders()
    assert.equal(headers['x-session'], undefined)
    assert.match(headers['x-stamp-webauthn'] ?? '', /credentialId/)
    await page.getByRole('link', { name: 'Hopper' }).waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), '')
    assert.equal(await page.getByLabel('Public key of an API key').inputValue(), '')
  },
)

consoleTest('a wallet is made, and its next account is at the next path', async ({ signedIn, look }) => {
  const page = await signedIn('/wallets')
  await page.getByText('There are no wallets yet.').waitFor()
  await page.getByText('Make a wallet').click()
  await page.getByLabel('Name', { exact: true }).fill('Treasury')
  await page.getByRole('button', { name: 'Make', exact: true }).click()
  await page.getByRole('link', { name: 'Treasury' }).click()
  await page.getByText("m/44'/60'/0'/0/0").waitFor()
  await page.getByRole('button', { name: 'Derive the next account' }).click()
  await page.getByText("m/44'/60'/0'/0/1").waitFor()
  await page.getByLabel('Kind of account').selectOption('Solana')
  await page.getByRole('button', { name: 'Derive the next account' }).click()
  await page.getByText("m/44'/501'/0'/0'").waitFor()
  await look(page, 'wallet')
  await page.getByRole('link', { name: 'All wallets and keys' }).click()
  await page.getByRole('heading', { name: 'Private keys' }).waitFor()
  await look(page, 'wallets')
})

consoleTest('the day of last use is said in words, whatever a host says', async ({ signedIn, root }) => {
  const page = await signedIn(`/users/${root.userId}`)
  await page.getByText('Last used: today').first().waitFor()
  const { userId } = root
  for (const [day, shown] of [
    [dayBefore(1), 'yesterday'],
    [dayBefore(40), '40 days ago'],
    ['2999-01-01', '2999-01-01'],
    ['<b>\u202enow', '<b>⟨U+202E⟩now'],
  ] as const) {
    await page.route('**/list_last_uses', (route) =>
      route.fulfill({ json: { users: [{ userId, lastUsedOn: day, authenticators: [], apiKeys: [] }] } }),
    )
    await page.reload()
    await page.locator('dd', { hasText: shown }).waitFor()
  }
})

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
}
