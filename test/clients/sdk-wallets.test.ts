import assert from 'node:assert/strict'
import { createHmac, pbkdf2Sync } from 'node:crypto'
import { after, test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import * as btc from '@scure/btc-signer'
import { Keypair } from '@solana/web3.js'
import { decryptExportBundle, encryptWalletToBundle, generateP256KeyPair } from '@turnkey/crypto'
import type { TurnkeyApiClient } from '@turnkey/sdk-server'
import { HDNodeWallet } from 'ethers'
import { mnemonicToAccount } from 'viem/accounts'
import { vectors } from '../support/vectors.ts'
import { present } from '../../src/trusted/base/assert.ts'
import type { WalletAccounts } from './new-wallet.ts'
import { sdkServer } from './sdk-server.ts'
import { aSetting, type Stranger } from './setting.ts'

// Wallets through the published @turnkey/sdk-server, with the accounts that it offers as its defaults.
const sdk = await sdkServer()
const setting = await aSetting()
after(() => setting.service.kill())
const { root } = setting
const client = apiClient(root)

type Account = WalletAccounts[number]

/** Those that are exported by name, and those that are only in the table of formats. */
const named: readonly Account[] = Object.entries(sdk).flatMap(([name, value]) =>
  name.startsWith('DEFAULT_') ? (value as Account[]) : [],
)
const inTable: readonly Account[] = Object.values(sdk.addressFormatConfig).flatMap(
  ({ defaultAccounts }) => (defaultAccounts ?? []) as Account[],
)
const defaults = [...new Map([...named, ...inTable].map((item) => [item.addressFormat, item])).values()]
const FORMATS = 35

const KNOWN_WORDS = 'test test test test test test test test test test test junk'

test('a wallet with every default account of the library is made, and its addresses are those that other libraries derive', async () => {
  assert.equal(defaults.length, FORMATS)
  assert.ok(named.length >= 30)
  const { walletId, addresses } = await client.createWallet({
    walletName: 'Every default',
    accounts: defaults,
    mnemonicLength: 24,
  })
  const words = await exportedWords(walletId)
  assert.equal(words.split(' ').length, 24)
  const checked = defaults.filter((account, index) => {
    const expected = derived(words, account)
    if (expected !== undefined) assert.equal(addresses[index], expected, account.addressFormat)
    return expected !== undefined
  })
  // Ethereum, Solana, two of Dogecoin and twenty of Bitcoin; the other formats are held to known addresses below.
  assert.equal(checked.length, 24)
  const accounts = await everyAccount(walletId)
  assert.equal(accounts.length, FORMATS)
  assert.deepEqual(
    new Map(accounts.map(({ addressFormat, address }) => [addressFormat, address])),
    new Map(defaults.map(({ addressFormat }, index) => [addressFormat, addresses[index]])),
  )
})

test('a well-known mnemonic has the known address at every default account', async () => {
  const all = vectors<readonly Record<string, string>[]>('facts/address-vectors.json')
  const { addresses } = await imported(client, root, KNOWN_WORDS, defaults)
  for (const [index, { addressFormat, curve, path }] of defaults.entries()) {
    const known = all.filter(
      (record) => record['format'] === addressFormat && record['curve'] === curve && record['path'] === path,
    )
    assert.ok(known.length > 0, `${addressFormat} ${path} has a known address`)
    // Where sources leave an address open, several are known.
    assert.ok(
      known.some(({ address }) => address === addresses[index]),
      `${addressFormat} ${path}: ${addresses[index]}`,
    )
  }
})

test('the accounts that the library adds to a wallet go on counting, and none is given twice', async () => {
  const { walletId } = await client.createWallet({
    walletName: 'Grows',
    accounts: sdk.DEFAULT_ETHEREUM_ACCOUNTS,
  })
  const words = await exportedWords(walletId)
  for (const count of [1, 2]) {
    const { accounts: existingWalletAccounts } = await client.getWalletAccounts({ walletId })
    const accounts = sdk.generateWalletAccountsFromAddressFormat({
      addresses: ['ADDRESS_FORMAT_ETHEREUM', 'ADDRESS_FORMAT_SOLANA'],
      existingWalletAccounts,
    })
    const { addresses } = await client.createWalletAccounts({ walletId, accounts })
    assert.deepEqual(
      addresses,
      accounts.map((account) => derived(words, account)),
    )
    assert.equal((await client.getWalletAccounts({ walletId })).accounts.length, 1 + 2 * count)
  }
})

test('a wallet goes out and comes into another organization with the same addresses, and signs there the same', async () => {
  const { walletId, addresses } = await client.createWallet({ walletName: 'Travels', accounts: defaults })
  const words = await exportedWords(walletId)
  assert.equal((await client.getWallet({ walletId })).wallet.exported, true)
  const [owner] = await setting.subOrganization('Elsewhere', ['Owner'])
  const there = present(owner, 'the root user')
  const elsewhere = apiClient(there)
  const arrived = await imported(elsewhere, there, words, defaults)
  assert.deepEqual(arrived.addresses, addresses)

  for (const format of ['ETHEREUM', 'SOLANA', 'BITCOIN_MAINNET_P2WPKH', 'SUI', 'XRP'] as const) {
    const at = defaults.findIndex(({ addressFormat }) => addressFormat === `ADDRESS_FORMAT_${format}`)
    const request = {
      signWith: present(addresses[at], format),
      payload: 'signed here and there',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction:
        defaults[at]?.curve === 'CURVE_ED25519' ? 'HASH_FUNCTION_NOT_APPLICABLE' : 'HASH_FUNCTION_SHA256',
    } as const
    const [one, other] = [await client.signRawPayload(request), await elsewhere.signRawPayload(request)]
    assert.deepEqual([one.r, one.s, one.v], [other.r, other.s, other.v])
  }
})

test('the words of a wallet come into one organization only once', async () => {
  const words = HDNodeWallet.createRandom().mnemonic?.phrase ?? ''
  await imported(client, root, words, sdk.DEFAULT_ETHEREUM_ACCOUNTS)
  await assert.rejects(imported(client, root, words, sdk.DEFAULT_SOLANA_ACCOUNTS), {
    name: 'TurnkeyRequestError',
    message: /^Turnkey error 6: seed for wallet .* already imported in this organization/,
  })
})

test('an address that two accounts share, as those of the test networks do, signs with their one key', async () => {
  const formats = ['ADDRESS_FORMAT_BITCOIN_TESTNET_P2WPKH', 'ADDRESS_FORMAT_BITCOIN_SIGNET_P2WPKH']
  const accounts = defaults.filter(({ addressFormat }) => formats.includes(addressFormat))
  const { walletId, addresses } = await client.createWallet({ walletName: 'Shares', accounts })
  const [signWith = '', same] = addresses
  assert.equal(signWith, same)
  const { r, s } = await client.signRawPayload({
    signWith,
    payload: 'either',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  })
  const { accounts: kept } = await client.getWalletAccounts({ walletId })
  const publicKey = Buffer.from(present(kept[0]?.publicKey, 'its key'), 'hex')
  const digest = sha256(new TextEncoder().encode('either'))
  assert.ok(secp256k1.verify(Buffer.from(r + s, 'hex'), digest, publicKey, { prehash: false }))
})

/** The address that other libraries derive, undefined for formats that they do not know. */
function derived(words: string, { addressFormat, path }: Account): string | undefined {
  const format = addressFormat.replace('ADDRESS_FORMAT_', '')
  const [chain = '', network = '', script = ''] = format.split('_')
  switch (chain) {
    case 'ETHEREUM': {
      const { address } = mnemonicToAccount(words, { path: path as `m/44'/60'/${string}` })
      assert.equal(address, HDNodeWallet.fromPhrase(words, '', path).address)
      return address
    }
    case 'SOLANA':
      return Keypair.fromSeed(slip10(words, path)).publicKey.toBase58()
    case 'DOGE': {
      const pubKeyHash = network === 'MAINNET' ? 0x1e : 0x71
      return btc.p2pkh(publicKeyAt(words, path), { ...btc.NETWORK, pubKeyHash }).address
    }
    case 'BITCOIN':
      return bitcoinAddress(script, publicKeyAt(words, path), networks[network])
    default:
      return undefined
  }
}

const networks: Readonly<Record<string, typeof btc.NETWORK>> = {
  MAINNET: btc.NETWORK,
  TESTNET: btc.TEST_NETWORK,
  SIGNET: btc.TEST_NETWORK,
  REGTEST: { ...btc.TEST_NETWORK, bech32: 'bcrt' },
}

function publicKeyAt(words: string, path: string): Uint8Array {
  const { publicKey } = HDNodeWallet.fromPhrase(words, '', path)
  return Uint8Array.from(Buffer.from(publicKey.slice(2), 'hex'))
}

/** docs/decisions/bitcoin-scripts.md */
function bitcoinAddress(
  script: string,
  publicKey: Uint8Array,
  network: typeof btc.NETWORK | undefined,
): string | undefined {
  switch (script) {
    case 'P2PKH':
      return btc.p2pkh(publicKey, network).address
    case 'P2SH':
      return btc.p2sh(btc.p2wpkh(publicKey, network), network).address
    case 'P2WPKH':
      return btc.p2wpkh(publicKey, network).address
    case 'P2WSH':
      return btc.p2wsh(btc.p2pk(publicKey, network), network).address
    default:
      return btc.p2tr(publicKey.subarray(1), undefined, network).address
  }
}

/** SLIP-0010 for Ed25519, over nothing but HMAC: 32 bytes. */
function slip10(words: string, path: string): Uint8Array {
  const hmac = (key: Uint8Array | string, data: Uint8Array) => createHmac('sha512', key).update(data).digest()
  const start = hmac('ed25519 seed', pbkdf2Sync(words, 'mnemonic', 2048, 64, 'sha512'))
  const indexes = path
    .split('/')
    .slice(1)
    .map((step) => Number.parseInt(step, 10))
  const end = indexes.reduce((node, index) => {
    const data = Buffer.alloc(37)
    node.copy(data, 1, 0, 32)
    data.writeUInt32BE(2 ** 31 + index, 33)
    return hmac(node.subarray(32), data)
  }, start)
  return new Uint8Array(end.subarray(0, 32))
}

async function exportedWords(walletId: string): Promise<string> {
  const target = generateP256KeyPair()
  const { exportBundle } = await client.exportWallet({
    walletId,
    targetPublicKey: target.publicKeyUncompressed,
  })
  return await decryptExportBundle({
    exportBundle,
    organizationId: root.organizationId,
    embeddedKey: target.privateKey,
    dangerouslyOverrideSignerPublicKey: setting.keys.signer,
    returnMnemonic: true,
  })
}

/** Page by page, of the ten that are shown where no number is asked for. */
async function everyAccount(walletId: string) {
  const all: Awaited<ReturnType<TurnkeyApiClient['getWalletAccounts']>>['accounts'] = []
  for (;;) {
    const last = all.at(-1)?.walletAccountId
    const { accounts } = await client.getWalletAccounts({
      walletId,
      ...(last === undefined ? {} : { paginationOptions: { after: last } }),
    })
    if (accounts.length === 0) return all
    assert.ok(accounts.length <= 10)
    all.push(...accounts)
  }
}

async function imported(
  by: TurnkeyApiClient,
  { organizationId, userId }: { organizationId: string; userId: string },
  mnemonic: string,
  accounts: WalletAccounts,
) {
  const { importBundle } = await by.initImportWallet({ userId })
  const encryptedBundle = await encryptWalletToBundle({
    mnemonic,
    importBundle,
    userId,
    organizationId,
    dangerouslyOverrideSignerPublicKey: setting.keys.signer,
  })
  const walletName = `Imported ${crypto.randomUUID()}`
  return await by.importWallet({ userId, walletName, encryptedBundle, accounts })
}

function apiClient({
  organizationId,
  publicKey,
  privateKey,
}: Pick<Stranger, 'organizationId' | 'publicKey' | 'privateKey'>): TurnkeyApiClient {
  return new sdk.Turnkey({
    apiBaseUrl: setting.service.url,
    apiPublicKey: publicKey,
    apiPrivateKey: privateKey,
    defaultOrganizationId: organizationId,
    activityPoller: { intervalMs: 10, numRetries: 2 },
  }).apiClient()
}
