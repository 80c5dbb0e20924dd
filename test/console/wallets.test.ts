import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateP256KeyPair } from '@turnkey/crypto'
import type { Page } from 'playwright-core'
import { CURVES, fullName } from '../../console/screens/wallets/address-formats.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { addressFormats, curvesOf } from '../../src/trusted/chains/address-format.ts'
import type { Person } from '../clients/setting.ts'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

/** Turns what follows it, and is markup. */
const LYING_NAME = '\u202e<b>Cold</b>'

test('the console offers each address format of the service, under each curve that it fits', () => {
  const offered = CURVES.flatMap(({ curve, formats }) => formats.map((name) => `${curve} ${fullName(name)}`))
  const known = addressFormats.flatMap((format) => curvesOf(format).map((curve) => `${curve} ${format}`))
  assert.deepEqual(offered.toSorted(), known.toSorted())
})

async function aKey({ client, activity }: Person, privateKeyName: string): Promise<string> {
  const { activity: done } = await client.createPrivateKeys(
    activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [
        {
          privateKeyName,
          curve: 'CURVE_SECP256K1' as const,
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_ETHEREUM' as const],
        },
      ],
    }),
  )
  return present(done.result.createPrivateKeysResultV2?.privateKeys[0]?.privateKeyId, 'the key')
}

async function aWallet({ client, activity }: Person, walletName: string, accounts: number): Promise<string> {
  const { activity: done } = await client.createWallet(
    activity('ACTIVITY_TYPE_CREATE_WALLET', {
      walletName,
      accounts: Array.from({ length: accounts }, (_, index) => ({
        curve: 'CURVE_SECP256K1' as const,
        pathFormat: 'PATH_FORMAT_BIP32' as const,
        path: `m/44'/60'/0'/0/${index}`,
        addressFormat: 'ADDRESS_FORMAT_ETHEREUM' as const,
      })),
    }),
  )
  return present(done.result.createWalletResult?.walletId, 'the wallet')
}

async function keysOf({ client, organizationId }: Person) {
  return (await client.getPrivateKeys({ organizationId })).privateKeys
}

async function walletNames({ client, organizationId }: Person): Promise<readonly string[]> {
  return (await client.getWallets({ organizationId })).wallets.map(({ walletName }) => walletName)
}

async function confirm(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('button', { name: /yes, really/ }).click()
}

consoleTest('a private key is made with addresses and a tag, tagged anew, and deleted', async (setting) => {
  const { root, signedIn, look } = setting
  for (const privateKeyTagName of ['Cold', 'Hot'])
    await root.client.createPrivateKeyTag(
      root.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', { privateKeyTagName, privateKeyIds: [] }),
    )
  const page = await signedIn('/wallets')
  await page.getByText('Make a private key').click()
  await page.getByLabel('Name of the private key').fill(LYING_NAME)
  await page.getByLabel('BITCOIN_MAINNET_P2WPKH').check()
  await page.getByLabel('Curve').selectOption('Ed25519')
  assert.equal(await page.getByLabel('BITCOIN_MAINNET_P2WPKH').count(), 0)
  await page.getByLabel('SOLANA').check()
  await page.getByLabel('SUI').check()
  await page.getByRole('group', { name: 'Tags' }).getByLabel('Cold').check()
  await look(page, 'key-new')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByRole('link', { name: '⟨U+202E⟩<b>Cold</b>' }).click()
  const [key] = await keysOf(root)
  assert.equal(key?.curve, 'CURVE_ED25519')
  assert.deepEqual(
    key.addresses.map(({ format }) => format),
    ['ADDRESS_FORMAT_SOLANA', 'ADDRESS_FORMAT_SUI'],
  )
  for (const { address = '' } of key.addresses) await page.getByText(address, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Take this tag away' }).click()
  await page.getByText('It carries no tag.').waitFor()
  const tags = (await root.client.listPrivateKeyTags({ organizationId: root.organizationId })).privateKeyTags
  const hot = tags.find(({ tagName }) => tagName === 'Hot')
  await page.getByLabel('Tag', { exact: true }).selectOption(`Hot (…${hot?.tagId.slice(-8)})`)
  await page.getByRole('button', { name: 'Give this tag' }).click()
  await page.getByRole('link', { name: 'Hot' }).waitFor()
  assert.deepEqual((await keysOf(root))[0]?.privateKeyTags, [hot?.tagId])

  await page.getByRole('button', { name: 'Delete this private key' }).click()
  await page.getByText('Without a copy, what its addresses hold is lost.').waitFor()
  await page.getByRole('alertdialog').getByText(key.privateKeyId).waitFor()
  await look(page, 'key')
  const [request] = await Promise.all([
    page.waitForRequest('**/submit/delete_private_keys'),
    page.getByRole('button', { name: /yes, really/ }).click(),
  ])
  assert.deepEqual(request.postDataJSON().parameters, {
    privateKeyIds: [key.privateKeyId],
    deleteWithoutExport: true,
  })
  await page.getByRole('heading', { name: 'There is no such private key' }).waitFor()
  await page.getByText('Carried out').waitFor()
  assert.deepEqual(await keysOf(root), [])
})

consoleTest(
  'a wallet is renamed, gets an account of any kind, loses one, and is deleted',
  async (setting) => {
    const { root, signedIn, look } = setting
    const walletId = await aWallet(root, 'Treasury', 2)
    const page = await signedIn(`/wallets/${walletId}`)
    await page.getByText('Rename').click()
    assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled())
    await page.getByLabel('Name', { exact: true }).fill('Reserve')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Reserve' }).waitFor()
    assert.deepEqual(await walletNames(root), ['Reserve'])

    await page.getByText('Make an account at a path of your choice').click()
    await page.getByLabel('Curve').selectOption('P-256')
    await page.getByLabel('Format of the address').selectOption('COMPRESSED')
    await page.getByLabel('Path').fill('m/1/x')
    await page.getByRole('button', { name: 'Make the account' }).click()
    await page.getByText('The service refused this').waitFor()
    await page.getByLabel('Path').fill("m/1'/2")
    await page.getByLabel('Name of the account').fill(LYING_NAME)
    await page.getByRole('button', { name: 'Make the account' }).click()
    await page.getByText('⟨U+202E⟩<b>Cold</b>').waitFor()

    const accounts = async () =>
      (await root.client.getWalletAccounts({ organizationId: root.organizationId, walletId })).accounts
    const first = present(
      (await accounts()).find(({ path }) => path === "m/44'/60'/0'/0/0"),
      'the first account',
    )
    await page.locator('li', { hasText: first.address }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByText(first.address).waitFor()
    await look(page, 'wallet-account-delete')
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page.locator('li', { hasText: first.address }).waitFor({ state: 'detached' })
    assert.equal((await accounts()).length, 2)
    // As the question says, the wallet derives it again.
    await page.getByRole('button', { name: 'Derive the next account' }).click()
    await page.locator('li', { hasText: first.address }).waitFor()
    assert.equal((await accounts()).length, 3)

    await page.getByRole('button', { name: 'Delete this wallet' }).click()
    await page.getByText('every account of the wallet').waitFor()
    await page.getByRole('link', { name: 'Export it first' }).waitFor()
    await look(page, 'wallet-delete')
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page.getByRole('heading', { name: 'There is no such wallet' }).waitFor()
    assert.deepEqual(await walletNames(root), [])
  },
)

consoleTest('a host that says of a key that there is a copy does not have it deleted', async (setting) => {
  const { root, signedIn } = setting
  const privateKeyId = await aKey(root, 'Only one')
  const walletId = await aWallet(root, 'Only words', 1)
  const page = await signedIn('/wallets')
  await page.route(/query\/get_(private_key|wallet)$/, async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    for (const one of [answer.privateKey, answer.wallet]) if (one !== undefined) one.exported = true
    await route.fulfill({ response, json: answer })
  })
  await page.evaluate(`location.hash = '#/wallets/keys/${privateKeyId}'`)
  await confirm(page, 'Delete this private key')
  await page.getByText('private key has not been exported').waitFor()
  await page.evaluate(`location.hash = '#/wallets/${walletId}'`)
  await confirm(page, 'Delete this wallet')
  await page.getByText('wallet has not been exported').waitFor()
  assert.equal((await keysOf(root)).length, 1)
  assert.deepEqual(await walletNames(root), ['Only words'])
})

consoleTest(
  'of a key that was exported the page speaks of the copy, and asks for nothing more',
  async (setting) => {
    const { root, signedIn } = setting
    const privateKeyId = await aKey(root, 'Copied')
    const targetPublicKey = generateP256KeyPair().publicKeyUncompressed
    await root.client.exportPrivateKey(
      root.activity('ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', { privateKeyId, targetPublicKey }),
    )
    const page = await signedIn(`/wallets/keys/${privateKeyId}`)
    await page.getByText('exported', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete this private key' }).click()
    await page.getByText('It was exported once.').waitFor()
    const [request] = await Promise.all([
      page.waitForRequest('**/submit/delete_private_keys'),
      page.getByRole('button', { name: /yes, really/ }).click(),
    ])
    assert.deepEqual(request.postDataJSON().parameters, { privateKeyIds: [privateKeyId] })
    await page.getByRole('heading', { name: 'There is no such private key' }).waitFor()
  },
)

consoleTest('a long list is shown by fifty', async (setting) => {
  const { signedIn } = setting
  const [ada] = await setting.subOrganization('Many', ['Ada'])
  const person = present(ada, 'one user')
  const walletId = await aWallet(person, 'Long', 120)
  for (const names of ['a', 'b'])
    await person.client.createPrivateKeys(
      person.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
        privateKeys: Array.from({ length: 30 }, (_, index) => ({
          privateKeyName: `${names}${index}`,
          curve: 'CURVE_ED25519' as const,
          privateKeyTags: [],
          addressFormats: [],
        })),
      }),
    )
  const page = await signedIn('/wallets', person)
  const cards = page.locator('ul.cards > li')
  await page.getByRole('link', { name: /^a0 \(/ }).waitFor()
  assert.equal(await cards.count(), 51)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('link', { name: /^b29 \(/ }).waitFor()
  assert.equal(await cards.count(), 61)
  await page.getByRole('link', { name: 'Long' }).click()
  for (const count of [50, 100, 120]) {
    await cards.nth(count - 1).waitFor()
    assert.equal(await cards.count(), count)
    if (count < 120) await page.getByRole('button', { name: 'Show more' }).click()
  }
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
  assert.match(page.url(), new RegExp(walletId))
})

consoleTest('a member without rights is told that the service refuses to delete a key', async (setting) => {
  const { root, user, signedIn } = setting
  const privateKeyId = await aKey(root, 'Not yours')
  const page = await signedIn(`/wallets/keys/${privateKeyId}`, await user(root, 'Eve'))
  await confirm(page, 'Delete this private key')
  await page.getByText('The service refused this').waitFor()
  await page.getByRole('heading', { name: 'Not yours' }).waitFor()
})
