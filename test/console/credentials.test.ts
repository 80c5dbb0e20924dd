import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { claimsOf } from '../../console/screens/users/identity-token.ts'
import { present } from '../../src/trusted/base/assert.ts'
import type { Person } from '../clients/setting.ts'
import { anIssuer } from '../support/issuer.ts'
import { consoleTests } from './console-setting.ts'

const issuer = await anIssuer()
after(issuer.close)
const consoleTest = await consoleTests()

/** Turns what follows it, and is markup. */
const LYING_NAME = '\u202e<b>Work</b>'

function under(page: Page, heading: string): Locator {
  return page.locator(`h2:text-is("${heading}") + ul.cards > li, h2:text-is("${heading}") + p`)
}

async function userNow({ client, organizationId, userId }: Person) {
  return (await client.getUser({ organizationId, userId })).user
}

consoleTest('API keys of each curve are added, with an end and without', async (setting) => {
  const { root, user, signedIn, look } = setting
  const ada = await user(root, 'Ada')
  const page = await signedIn(`/users/${ada.userId}`)
  await page.getByText('Add an API key').click()
  await page.getByLabel('Name of the API key').fill(LYING_NAME)
  await page.getByLabel('Curve').selectOption('Ed25519')
  const { publicKey } = generateKeyPairSync('ed25519')
  const hex = Buffer.from(present(publicKey.export({ format: 'jwk' }).x, 'a point'), 'base64url').toString(
    'hex',
  )
  await page.getByLabel('Public key of an API key (Ed25519').fill(hex)
  await page.getByLabel('When it ends by itself').selectOption('30')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const line = page.locator('li', { hasText: '⟨U+202E⟩<b>Work</b>' })
  await line.getByText(hex).waitFor()
  await line.getByText('Ed25519').waitFor()
  await line.getByText('ends on').waitFor()
  await look(page, 'user-credentials')
  const keys = (await userNow({ ...root, userId: ada.userId })).apiKeys
  assert.deepEqual(
    keys.map(({ credential, expirationSeconds }) => [credential.type, expirationSeconds]),
    [
      ['CREDENTIAL_TYPE_API_KEY_P256', undefined],
      ['CREDENTIAL_TYPE_API_KEY_ED25519', String(30 * 24 * 60 * 60)],
    ],
  )
  // A key that ends is no way in that lasts.
  const first = page.locator('li', { hasText: 'Key of Ada' })
  await first.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('This is the last lasting way in of this user').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await line.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('cannot sign in with it any more').waitFor()
  await page.getByRole('button', { name: /yes, really/ }).click()
  await line.waitFor({ state: 'detached' })
})

consoleTest(
  'an account elsewhere is added by its token, which is read before it is sent, and removed',
  async (setting) => {
    const { root, user, signedIn, look } = setting
    const bob = await user(root, 'Bob')
    const page = await signedIn(`/users/${bob.userId}`)
    await page.getByText('Add an account elsewhere').click()
    await page.getByLabel('Name of the account').fill(LYING_NAME)
    await page.getByLabel('Identity token of the account').fill('ya29.access-token')
    await page.getByText('This is no identity token.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Add the account' }).isDisabled())
    const forged = await issuer.sign(
      { iss: issuer.issuer, sub: '\u202egrace', aud: 'web' },
      { kid: 'nobody' },
    )
    await page.getByLabel('Identity token of the account').fill(forged)
    await page.getByText('⟨U+202E⟩grace').waitFor()
    await page.getByRole('button', { name: 'Add the account' }).click()
    await page.getByText('The service refused this').waitFor()
    await page
      .getByLabel('Identity token of the account')
      .fill(await issuer.token({ subject: 'grace', withEmail: true }))
    await page.getByText('grace@example.com').waitFor()
    await page.getByText('can then sign in as this user').waitFor()
    await look(page, 'user-account-elsewhere')
    await page.getByRole('button', { name: 'Add the account' }).click()
    const line = under(page, 'Accounts elsewhere').filter({ hasText: '⟨U+202E⟩<b>Work</b>' })
    await line.getByText(issuer.issuer).waitFor()
    const [provider] = (await userNow({ ...root, userId: bob.userId })).oauthProviders
    assert.deepEqual(
      [provider?.issuer, provider?.subject, provider?.audience],
      [issuer.issuer, 'grace', 'web'],
    )
    // Either of the two ways may go; the one that is left may not.
    await page.locator('li', { hasText: 'Key of Bob' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('cannot sign in with it any more').waitFor()
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page.locator('li', { hasText: 'Key of Bob' }).waitFor({ state: 'detached' })
    await line.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('This is the last lasting way in of this user').waitFor()
    assert.equal(await page.getByRole('button', { name: /yes, really/ }).count(), 0)
    await page.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await userNow({ ...root, userId: bob.userId })).oauthProviders.length, 1)
  },
)

consoleTest('a way in beside which only a code is left is told apart from the last one', async (setting) => {
  const { signedIn } = setting
  const [ada] = await setting.subOrganization('Codes', ['Ada'])
  const person = present(ada, 'one user')
  const { userId } = person
  const userEmail = 'ada@example.com'
  await person.client.updateUser(person.activity('ACTIVITY_TYPE_UPDATE_USER', { userId, userEmail }))
  const page = await signedIn(`/users/${userId}`, person)
  await page.locator('li', { hasText: 'Key of Ada' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('a parent organization has to help').waitFor()
  // There is one, as the page cannot know.
  await page.getByRole('button', { name: /yes, really/ }).click()
  await page.getByText('Carried out').waitFor()
})

consoleTest('a wallet elsewhere is listed and removed', async (setting) => {
  const { root, user, signedIn } = setting
  const carol = await user(root, 'Carol')
  const { userId } = carol
  const wallet = { type: 'WALLET_AUTHENTICATOR_TYPE_SOLANA', address: WALLET, domain: 'app.example.com' }
  // Published clients have no such call.
  await root.client.request(
    '/public/v1/submit/create_wallet_authenticators',
    root.activity('ACTIVITY_TYPE_CREATE_WALLET_AUTHENTICATORS', { userId, walletAuthenticators: [wallet] }),
  )
  const page = await signedIn(`/users/${userId}`)
  const line = under(page, 'Wallets elsewhere').filter({ hasText: WALLET })
  await line.getByText('app.example.com').waitFor()
  await line.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: /yes, really/ }).click()
  await page.getByText('Carried out').waitFor()
  await page.getByRole('heading', { name: 'Wallets elsewhere' }).waitFor({ state: 'detached' })
})

const WALLET = '9FYsKrNuEweb55Wa2jaj8wTKYDBvuCG3huhakEj96iN9'

consoleTest('what an identity token says of itself is read, or it is said to be none', async () => {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: 'https://issuer.example', sub: '4711', aud: ['web', 'phone'], email: 'a@example.com' }
  assert.deepEqual(claimsOf(`${part({ alg: 'ES256' })}.${part(claims)}.c2ln`), {
    issuer: 'https://issuer.example',
    subject: '4711',
    audience: 'web, phone',
    email: 'a@example.com',
  })
  for (const payload of [
    '',
    '!',
    part('text'),
    part(null),
    part([]),
    part({ iss: 1, sub: 'x' }),
    part({ iss: 'x' }),
    '_w',
  ])
    assert.equal(claimsOf(`${part({})}.${payload}.c2ln`), undefined, payload)
  for (const text of ['', 'a', `a.${part(claims)}`, `a.${part(claims)}.b.c`])
    assert.equal(claimsOf(text), undefined, text)
})
