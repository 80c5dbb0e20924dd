import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { encryptPrivateKeyToBundle } from '@turnkey/crypto'
import { anEncryptedMnemonic } from '../../../../test/behaviour/imported-wallets.ts'
import { aService, type TestService } from '../../../../test/support/service.ts'
import { revealed } from '../../base/testing/revealed.ts'

const service: TestService = await aService()
const { root } = service
after(() => service.close())

const MNEMONIC = 'test test test test test test test test test test test junk'
const PATH = "m/44'/60'/0'/0/0"
const FORMAT = 'ADDRESS_FORMAT_COMPRESSED'

type Held = { readonly curve: string; readonly publicKey: string }
const heldCurves = ['CURVE_P256', 'CURVE_SECP256K1', 'CURVE_ED25519']

let made = 0
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const account = (curve: string, path = PATH) => ({
  curve,
  pathFormat: 'PATH_FORMAT_BIP32',
  path: curve === 'CURVE_ED25519' ? "m/44'/501'/0'" : path,
  addressFormat: FORMAT,
})

async function aPrivateKey(curve: string): Promise<Held & { readonly privateKeyId: string }> {
  const params = { privateKeyName: `Key ${made++}`, curve, privateKeyTags: [], addressFormats: [FORMAT] }
  const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [params],
  })
  const [{ privateKeyId, addresses }] = privateKeys
  return { curve, publicKey: addresses[0].address, privateKeyId }
}

async function anAccount(curve: string): Promise<Held & { readonly walletId: string }> {
  const { walletId, addresses } = await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: `Wallet ${made++}`,
    accounts: [account(curve)],
  })
  return { curve, publicKey: addresses[0], walletId }
}

const apiKey = ({ curve, publicKey }: Held) => ({
  apiKeyName: 'Key',
  publicKey,
  curveType: curve.replace('CURVE', 'API_KEY_CURVE'),
})

const keysOf = (held: Held) => ({ userId: root.userId, apiKeys: [apiKey(held)] })
const usersOf = (held: Held) => ({
  users: [
    {
      userName: `User ${made++}`,
      apiKeys: [apiKey(held)],
      authenticators: [],
      oauthProviders: [],
      userTags: [],
    },
  ],
})

const CREATE_KEYS = 'ACTIVITY_TYPE_CREATE_API_KEYS_V2'
const CREATE_USERS = 'ACTIVITY_TYPE_CREATE_USERS_V3'

async function refused(type: string, parameters: object, message: RegExp): Promise<void> {
  service.world.advance(1)
  const { status, json } = await service.submit(root, type, parameters)
  assert.deepEqual([status, json.code], [400, 3], JSON.stringify(json))
  assert.match(json.message, message)
}

const HELD = /is the key of a private key or wallet account of this organization/
const IS_API_KEY = /is an API key of a user of this organization/

test('a private key or an account of the organization is no API key of its users, on any curve and in either case', async () => {
  for (const curve of heldCurves) {
    for (const held of [await aPrivateKey(curve), await anAccount(curve)]) {
      await refused(CREATE_KEYS, keysOf(held), HELD)
      await refused(CREATE_KEYS, keysOf({ curve, publicKey: held.publicKey.toUpperCase() }), HELD)
      await refused(CREATE_USERS, usersOf(held), HELD)
    }
  }
  const { publicKey } = await aPrivateKey('CURVE_P256')
  const apiOnlyUsers = [{ userName: 'Server', userTags: [], apiKeys: [{ apiKeyName: 'Key', publicKey }] }]
  await refused('ACTIVITY_TYPE_CREATE_API_ONLY_USERS', { apiOnlyUsers }, HELD)
  const apiKeys = [service.newKey().publicKey, publicKey].map((item) =>
    apiKey({ curve: 'CURVE_P256', publicKey: item }),
  )
  await refused(CREATE_KEYS, { userId: root.userId, apiKeys }, HELD)
})

test('an account with the key of an API key is refused, and once it is made, in whatever format, its key is no API key', async () => {
  const { walletId } = await anAccount('CURVE_P256')
  const { addresses } = await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
    walletId,
    accounts: [account('CURVE_SECP256K1', "m/44'/60'/0'/0/7")],
    persist: false,
  })
  const held = { curve: 'CURVE_SECP256K1', publicKey: addresses[0] }
  const accounts = [
    { ...account('CURVE_SECP256K1', "m/44'/60'/0'/0/7"), addressFormat: 'ADDRESS_FORMAT_ETHEREUM' },
  ]
  const { apiKeyIds } = await service.done(root, CREATE_KEYS, keysOf(held))
  const CREATE_ACCOUNTS = 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS'
  await refused(CREATE_ACCOUNTS, { walletId, accounts }, IS_API_KEY)
  await service.done(root, 'ACTIVITY_TYPE_DELETE_API_KEYS', { userId: root.userId, apiKeyIds })
  await service.done(root, CREATE_ACCOUNTS, { walletId, accounts })
  await refused(CREATE_KEYS, keysOf(held), HELD)
})

test('a key is free once it is held here no longer, and one of another organization always is', async () => {
  const { privateKeyId, ...key } = await aPrivateKey('CURVE_P256')
  const { walletId, ...of } = await anAccount('CURVE_P256')
  const other = service.of(await service.newOrganization())
  for (const held of [key, of])
    await other.done(other.root, CREATE_KEYS, { ...keysOf(held), userId: other.root.userId })
  await service.done(root, 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', {
    privateKeyIds: [privateKeyId],
    deleteWithoutExport: true,
  })
  await service.done(root, CREATE_KEYS, keysOf(key))
  await service.done(root, 'ACTIVITY_TYPE_DELETE_WALLETS', {
    walletIds: [walletId],
    deleteWithoutExport: true,
  })
  await service.done(root, CREATE_KEYS, keysOf(of))
})

test('an API key of a user is not imported as a private key, nor in a wallet', async (t) => {
  const secrets = revealed(t)
  const { secretKey } = p256.keygen(service.world.randomBytes(48))
  const held = { curve: 'CURVE_P256', publicKey: hex(p256.getPublicKey(secretKey, true)) }
  await service.done(root, CREATE_KEYS, keysOf(held))
  const { organizationId, userId } = root
  const begun = await service.done(root, 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId })
  const encryptedBundle = await encryptPrivateKeyToBundle({
    privateKey: hex(secretKey),
    keyFormat: 'HEXADECIMAL',
    importBundle: begun.importBundle,
    userId,
    organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(begun.importBundle).enclaveQuorumPublic,
  })
  const imported = { userId, privateKeyName: 'Mine', encryptedBundle, curve: held.curve, addressFormats: [] }
  await refused('ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', imported, IS_API_KEY)
  // The same secret on the other curve of ECDSA: a signature on each reveals it.
  await refused('ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', { ...imported, curve: 'CURVE_SECP256K1' }, IS_API_KEY)
  assert.ok(![...secrets].some((bytes) => hex(bytes) === hex(secretKey)), 'what was opened is wiped')

  const { privateKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(MNEMONIC)).derive(PATH)
  assert.ok(privateKey)
  const ofWallet = { curve: 'CURVE_SECP256K1', publicKey: hex(secp256k1.getPublicKey(privateKey, true)) }
  await service.done(root, CREATE_KEYS, keysOf(ofWallet))
  const wallet = {
    userId,
    walletName: 'Mine',
    encryptedBundle: await anEncryptedMnemonic({ service, by: root }, MNEMONIC),
    accounts: [account('CURVE_SECP256K1')],
  }
  await refused('ACTIVITY_TYPE_IMPORT_WALLET', wallet, IS_API_KEY)
})
