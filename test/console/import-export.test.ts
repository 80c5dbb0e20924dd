import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Page, Route } from 'playwright-core'
import {
  english,
  generateMnemonic,
  generatePrivateKey,
  mnemonicToAccount,
  privateKeyToAccount,
} from 'viem/accounts'
import { present } from '../../src/trusted/base/assert.ts'
import { utf8 } from '../../src/trusted/base/bytes.ts'
import { quorumSigner } from '../../src/trusted/crypto/bundles.ts'
import { generateP256Secret } from '../../src/trusted/crypto/p256.ts'
import type { Person } from '../clients/setting.ts'
import { altered, exported as exportedBundle, importTarget } from '../frames/bundles.ts'
import type { JsonAnswer } from '../support/service.ts'
import { type ConsoleSetting, consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()
/** What a host would sign with that is not the service. */
const liar = quorumSigner(generateP256Secret(randomBytes))

/** Signs in, and confirms the key of the service as one has it from elsewhere. */
async function ready(setting: ConsoleSetting, person?: Person): Promise<Page> {
  const page = await setting.signedIn('/import-export', person)
  const compare = page.getByLabel('The key as you have it from elsewhere')
  await compare.or(page.getByText('It was confirmed in this browser')).waitFor()
  if (await compare.isVisible()) {
    await compare.fill(`SIGNER_PUBLIC_KEY=${setting.keys.signer}`)
    await page.getByRole('button', { name: 'Compare' }).click()
  }
  await page.getByRole('heading', { name: 'Import', exact: true }).waitFor()
  return page
}

async function aWallet({ root }: ConsoleSetting, walletName: string): Promise<string> {
  const { activity } = await root.client.createWallet(
    root.activity('ACTIVITY_TYPE_CREATE_WALLET', {
      walletName,
      accounts: [
        {
          curve: 'CURVE_SECP256K1' as const,
          pathFormat: 'PATH_FORMAT_BIP32' as const,
          path: "m/44'/60'/0'/0/0",
          addressFormat: 'ADDRESS_FORMAT_ETHEREUM' as const,
        },
      ],
    }),
  )
  return activity.result.createWalletResult?.addresses[0] ?? ''
}

async function exported(page: Page, what: RegExp | string): Promise<string> {
  const choice = page.getByLabel('What to export')
  const option = choice.locator('option').filter({ hasText: what }).first()
  await choice.selectOption(present((await option.getAttribute('value')) ?? undefined, 'the option'))
  await page.getByRole('button', { name: 'Export it to this page' }).click()
  await page.getByRole('button', { name: 'Show the secret' }).click()
  return await page.locator('.secret').innerText()
}

async function typeImport(page: Page, given: { kind: string; name: string; label: string; secret: string }) {
  await page.getByLabel('What to import').selectOption(given.kind)
  await page.getByLabel('Name', { exact: true }).fill(given.name)
  await page.getByLabel(given.label, { exact: true }).fill(given.secret)
  await page.getByRole('button', { name: 'Encrypt and import' }).click()
}

consoleTest('nothing is imported or exported before the key of the service is confirmed', async (setting) => {
  const page = await setting.signedIn('/import-export')
  await page.getByText('The host names this key').waitFor()
  assert.equal(await page.getByRole('heading', { name: /^(Import|Export)$/ }).count(), 0)
  await page.getByLabel('The key as you have it from elsewhere').fill(liar.publicKey)
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText('This is another key than the one that the host names').waitFor()
  await setting.look(page, 'import-export-unconfirmed')
  await page.getByRole('button', { name: 'Believe the host this once' }).click()
  await page.getByRole('button', { name: /yes, really/ }).click()
  await page.getByText('It was confirmed in this browser').waitFor()
})

consoleTest('no typed secret goes to a spelling service or a keyboard', async (setting) => {
  const page = await ready(setting)
  const secrets = page.locator('main .masked')
  assert.equal(await secrets.count(), 2)
  for (const name of ['spellcheck', 'autocapitalize', 'autocomplete'])
    for (const field of await secrets.all())
      assert.match((await field.getAttribute(name)) ?? name, /^(false|off)$/)
})

consoleTest(
  'a wallet, an account and a key are exported, shown after a gesture, and hidden again',
  async (setting) => {
    const { root, look } = setting
    const address = await aWallet(setting, 'Savings')
    await root.client.createPrivateKeys(
      root.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
        privateKeys: [
          {
            privateKeyName: 'Loose',
            curve: 'CURVE_SECP256K1' as const,
            privateKeyTags: [],
            addressFormats: ['ADDRESS_FORMAT_ETHEREUM' as const],
          },
        ],
      }),
    )
    const page = await ready(setting)
    await page.clock.install()
    assert.equal(mnemonicToAccount(await exported(page, /^Savings \(…/)).address, address)
    await page.clock.fastForward(31_000)
    await page.getByRole('button', { name: 'Show the secret' }).waitFor()
    assert.equal(await page.locator('.secret').count(), 0)
    await look(page, 'import-export')
    await page.getByRole('button', { name: 'Show the secret' }).click()
    await page.evaluate("window.dispatchEvent(new Event('blur'))")
    await page.getByRole('button', { name: 'Show the secret' }).waitFor()
    await page.getByRole('button', { name: 'Forget it' }).click()
    assert.equal(await page.getByRole('button', { name: 'Show the secret' }).count(), 0)

    const account = await exported(page, `Savings: ${address}`)
    assert.equal(privateKeyToAccount(account as `0x${string}`).address, address) // It is what wallets write.
    const { privateKeys } = await root.client.getPrivateKeys({ organizationId: root.organizationId })
    const loose = await exported(page, 'Loose')
    assert.equal(
      privateKeyToAccount(loose as `0x${string}`).address, // As above.
      privateKeys.find(({ privateKeyName }) => privateKeyName === 'Loose')?.addresses[0]?.address,
    )
  },
)

consoleTest('a secret that is shown is not copied with the page around it', async (setting) => {
  await aWallet(setting, 'Uncopied')
  const page = await ready(setting)
  const secret = await exported(page, /^Uncopied \(…/)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const keys of ['ControlOrMeta+a', 'ControlOrMeta+c']) await page.keyboard.press(keys)
  const copied = String(await page.evaluate('navigator.clipboard.readText()'))
  assert.match(copied, /What to export/)
  assert.ok(await page.locator('.secret').isVisible())
  const [first, second, third] = secret.split(' ')
  assert.ok(!copied.includes(`${first} ${second} ${third}`), copied)
})

consoleTest('a recovery phrase and a key are imported, encrypted in the page', async (setting) => {
  const { root } = setting
  const page = await ready(setting)
  const bodies: string[] = []
  page.on('request', (request) => bodies.push(request.postData() ?? ''))
  const sentence = generateMnemonic(english)
  await typeImport(page, {
    kind: 'wallet',
    name: 'Brought',
    label: 'Recovery phrase',
    secret: `  ${sentence.replaceAll(' ', '\n')} `,
  })
  await page.getByText('Carried out').waitFor()
  assert.equal(await page.getByLabel('Recovery phrase').inputValue(), '')
  const { wallets } = await root.client.getWallets({ organizationId: root.organizationId })
  const walletId = wallets.find(({ walletName }) => walletName === 'Brought')?.walletId ?? ''
  const { accounts } = await root.client.getWalletAccounts({ organizationId: root.organizationId, walletId })
  assert.equal(accounts[0]?.address, mnemonicToAccount(sentence).address)

  const key = generatePrivateKey()
  await typeImport(page, { kind: 'privateKey', name: 'Typed', label: 'Private key', secret: 'no key at all' })
  await page.getByText(/This page refused this: .*it is no key in the format/).waitFor()
  await typeImport(page, { kind: 'privateKey', name: 'Typed', label: 'Private key', secret: key })
  await page.getByText('Carried out').waitFor()
  const { privateKeys } = await root.client.getPrivateKeys({ organizationId: root.organizationId })
  assert.equal(
    privateKeys.find(({ privateKeyName }) => privateKeyName === 'Typed')?.addresses[0]?.address,
    privateKeyToAccount(key).address,
  )
  assert.ok(bodies.some((body) => body.includes('encryptedBundle')))
  for (const secret of [sentence, sentence.split(' ').join('\n'), key.slice(2)])
    assert.ok(bodies.every((body) => !body.includes(secret)))
})

consoleTest('an export that waits for others is opened in the tab that asked for it', async (setting) => {
  const { root, user } = setting
  const address = await aWallet(setting, 'Shared')
  const ada = await user(root, 'Ada')
  await root.client.createPolicy(
    root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Two export',
      effect: 'EFFECT_ALLOW' as const,
      condition: "activity.action == 'EXPORT'",
      consensus: 'approvers.count() >= 2',
      notes: '',
    }),
  )
  const page = await ready(setting, ada)
  const choice = page.getByLabel('What to export')
  const option = choice.locator('option').filter({ hasText: /^Shared \(…/ })
  await choice.selectOption((await option.getAttribute('value')) ?? '')
  await page.getByRole('button', { name: 'Export it to this page' }).click()
  await page.getByText('Others have to agree').waitFor()
  const { activities } = await root.client.getActivities({
    organizationId: root.organizationId,
    filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'],
    filterByType: ['ACTIVITY_TYPE_EXPORT_WALLET'],
  })
  const activity = present(activities[0], 'the one that waits')
  await root.client.approveActivity(
    root.activity('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint: activity.fingerprint }),
  )
  await page.getByRole('button', { name: 'Open it, if they have agreed' }).click()
  await page.getByRole('button', { name: 'Show the secret' }).click()
  assert.equal(mnemonicToAccount(await page.locator('.secret').innerText()).address, address)
})

consoleTest('a host that names a key of its own after the first time is not believed', async (setting) => {
  const page = await ready(setting)
  await page.route('**/discovery/keys', (route: Route) =>
    route.fulfill({ json: { ...setting.keys, signer: liar.publicKey } }),
  )
  await page.reload()
  await page.getByText('The host names another key than the one that was confirmed').waitFor()
  assert.equal(await page.getByRole('heading', { name: /^(Import|Export)$/ }).count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Believe the host this once' }).count(), 0)
})

consoleTest('no secret is encrypted to a key that a lying host hands out', async (setting) => {
  const { root, user, keys } = setting
  const { organizationId, userId } = root
  const page = await ready(setting)
  const bob = await user(root, 'Bob')
  await root.client.createPolicy(
    root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'All import',
      effect: 'EFFECT_ALLOW' as const,
      condition: "activity.action == 'IMPORT'",
      consensus: 'true',
      notes: '',
    }),
  )
  const { activity } = await bob.client.initImportWallet(
    bob.activity('ACTIVITY_TYPE_INIT_IMPORT_WALLET', { userId: bob.userId }),
  )
  const ofBob = activity.result.initImportWalletResult?.importBundle ?? ''
  const [eve = root] = await setting.subOrganization('Others, who import', ['Eve'])
  const elsewhere = await eve.client.initImportWallet(
    eve.activity('ACTIVITY_TYPE_INIT_IMPORT_WALLET', { userId: eve.userId }),
  )
  const own = importTarget(liar, { organizationId, userId }).bundle
  const lies: Readonly<Record<string, string>> = {
    'another key than that of this service signed it': own,
    'its signature is wrong': altered(own, { enclaveQuorumPublic: keys.signer }),
    'it is for another user than the one that the page named': ofBob,
    'it is for another organization than the one that the page named':
      elsewhere.activity.result.initImportWalletResult?.importBundle ?? '',
  }
  let lie = ''
  await page.route('**/submit/init_import_wallet', async (route: Route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as JsonAnswer // The service answers with it.
    answer.activity.result.initImportWalletResult.importBundle = lie
    await route.fulfill({ response, json: answer })
  })
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  for (const [why, bundle] of Object.entries(lies)) {
    lie = bundle
    await typeImport(page, {
      kind: 'wallet',
      name: 'Mine',
      label: 'Recovery phrase',
      secret: generateMnemonic(english),
    })
    await page.getByText(why).waitFor()
  }
  assert.ok(sent.some((url) => url.endsWith('/init_import_wallet')))
  assert.ok(sent.every((url) => !url.endsWith('/import_wallet')))
})

consoleTest('what a lying host hands out as an export is not shown', async (setting) => {
  const { root } = setting
  const { organizationId } = root
  await aWallet(setting, 'Wanted')
  const page = await ready(setting)
  let first = ''
  let lie = async (_: string, genuine: string): Promise<string> => genuine
  await page.route('**/submit/export_wallet', async (route: Route) => {
    const { targetPublicKey } = JSON.parse(route.request().postData() ?? '').parameters
    const response = await route.fetch()
    const answer = (await response.json()) as JsonAnswer // The service answers with it.
    const result = answer.activity.result.exportWalletResult
    first ||= result.exportBundle
    result.exportBundle = await lie(targetPublicKey, result.exportBundle)
    await route.fulfill({ response, json: answer })
  })
  await exported(page, /^Wanted \(…/)
  const forged = (to: string): string =>
    exportedBundle(utf8(generateMnemonic(english)), { to, signer: liar, organizationId })
  const [eve = root] = await setting.subOrganization('Others, who export', ['Eve'])
  const { activity: made } = await eve.client.createWallet(
    eve.activity('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Of Eve', accounts: [] }),
  )
  const walletId = made.result.createWalletResult?.walletId ?? ''
  /** A bundle of this service, for this very page, and of somebody else's organization. */
  const ofEve = async (targetPublicKey: string): Promise<string> => {
    const asked = eve.activity('ACTIVITY_TYPE_EXPORT_WALLET', { walletId, targetPublicKey })
    const { activity } = await eve.client.exportWallet(asked)
    return activity.result.exportWalletResult?.exportBundle ?? ''
  }
  const lies: Readonly<Record<string, typeof lie>> = {
    'another key than that of this service signed it': async (target) => forged(target),
    'its signature is wrong': async (target) =>
      altered(forged(target), { enclaveQuorumPublic: setting.keys.signer }),
    'it is encrypted to another key': async () => first,
    'it is for another organization than the one that the page named': ofEve,
  }
  for (const [why, next] of Object.entries(lies)) {
    lie = next
    await page.getByRole('button', { name: 'Export it to this page' }).click()
    await page.getByText(why).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Show the secret' }).count(), 0, why)
  }
})
