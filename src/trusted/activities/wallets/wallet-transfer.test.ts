import assert from 'node:assert/strict'
import { pbkdf2Sync } from 'node:crypto'
import { after, test } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist as english } from '@scure/bip39/wordlists/english.js'
import { wordlist as french } from '@scure/bip39/wordlists/french.js'
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js'
import { decryptExportBundle, formatHpkeBuf, hpkeEncrypt } from '@turnkey/crypto'
import { HDNodeWallet } from 'ethers'
import { anEncryptedMnemonic } from '../../../../test/behaviour/imported-wallets.ts'
import { aService, type Member, type TestService } from '../../../../test/support/service.ts'

const NOWHERE = '0198c5a0-7d3c-7000-8000-00000000dead'
const INIT = 'ACTIVITY_TYPE_INIT_IMPORT_WALLET'
const IMPORT = 'ACTIVITY_TYPE_IMPORT_WALLET'
const EXPORT = 'ACTIVITY_TYPE_EXPORT_WALLET'
const EXPORT_ACCOUNT = 'ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT'
const ETHEREUM_PATH = "m/44'/60'/0'/0/0"
const ethereum = account('CURVE_SECP256K1', ETHEREUM_PATH, 'ADDRESS_FORMAT_ETHEREUM')
const solana = account('CURVE_ED25519', "m/44'/501'/0'/0'", 'ADDRESS_FORMAT_SOLANA')

const service: TestService = await aService()
const { root, organizationId } = service
after(() => service.close())

let made = 0

function account(curve: string, path: string, addressFormat: string) {
  return { curve, pathFormat: 'PATH_FORMAT_BIP32', path, addressFormat }
}

async function submitted(by: Member, type: string, parameters: object) {
  service.world.advance(1)
  return await service.submit(by, type, parameters)
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

function newWords(list: string[] = english, entropyBytes = 16): string {
  return entropyToMnemonic(service.world.randomBytes(entropyBytes), list)
}

function importOf(encryptedBundle: string, params: object = {}) {
  return {
    userId: root.userId,
    walletName: `Imported ${made++}`,
    encryptedBundle,
    accounts: [ethereum],
    ...params,
  }
}

async function imported(mnemonic: string, params: object = {}, by: Member = root) {
  const bundle = await anEncryptedMnemonic({ service, by }, mnemonic)
  return await service.done(by, IMPORT, importOf(bundle, { userId: by.userId, ...params }))
}

const receiver = p256.keygen()
const targetPublicKey = hex(p256.getPublicKey(receiver.secretKey, false))

async function exported(
  type: string,
  parameters: object,
  read: { returnMnemonic: boolean; keyFormat?: 'HEXADECIMAL' | 'SOLANA' } = { returnMnemonic: true },
  by: Member = root,
): Promise<string> {
  const { exportBundle } = await service.done(by, type, { targetPublicKey, ...parameters })
  return await decryptExportBundle({
    exportBundle,
    embeddedKey: hex(receiver.secretKey),
    organizationId: by.organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(exportBundle).enclaveQuorumPublic,
    ...read,
  })
}

/** The published client garbles what is not ASCII; its hexadecimal form does not. */
async function exportedText(parameters: object): Promise<string> {
  const read = { returnMnemonic: false, keyFormat: 'HEXADECIMAL' } as const
  return Buffer.from(await exported(EXPORT, parameters, read), 'hex').toString('utf8')
}

/** The address that BIP-39 and BIP-32 give, by another implementation. */
function addressOfWords(sentence: string, passphrase = ''): string {
  const salt = `mnemonic${passphrase}`.normalize('NFKD')
  const seed = pbkdf2Sync(sentence.normalize('NFKD'), salt, 2048, 64, 'sha512')
  return HDNodeWallet.fromSeed(seed).derivePath(ETHEREUM_PATH).address
}

async function walletShown(walletId: string) {
  return (await service.query(root, 'get_wallet', { walletId })).json.wallet
}

async function accountShown(walletId: string, address: string) {
  return (await service.query(root, 'get_wallet_account', { walletId, address })).json.account
}

for (const [words, entropyBytes] of [
  [12, 16],
  [15, 20],
  [18, 24],
  [21, 28],
  [24, 32],
] as const) {
  test(`a mnemonic of ${words} words comes in through the published client and goes out the same`, async () => {
    const mnemonic = newWords(english, entropyBytes)
    const { walletId, addresses } = await imported(mnemonic)
    assert.deepEqual(addresses, [addressOfWords(mnemonic)])
    const wallet = await walletShown(walletId)
    assert.equal(wallet.imported, true)
    assert.equal(wallet.exported, false)

    assert.equal(await exported(EXPORT, { walletId }), mnemonic)

    assert.equal((await walletShown(walletId)).exported, true)
    assert.equal(await exported(EXPORT, { walletId, language: 'MNEMONIC_LANGUAGE_ENGLISH' }), mnemonic)
  })
}

test('a mnemonic is read with any white space around its words, and kept with one space between them', async () => {
  const mnemonic = newWords()
  const { walletId } = await imported(`\n ${mnemonic.replaceAll(' ', ' \t\n')}\r\n`)
  assert.equal(await exported(EXPORT, { walletId }), mnemonic)
})

test('a passphrase comes in after its delimiter, exactly as it is, and goes out after a line feed', async () => {
  const mnemonic = newWords()
  for (const passphrase of [
    'TREZOR',
    ' two\nlines ',
    'Пароль\n--PASS--\nnoch mehr ä'.normalize('NFC'),
    '--PASS--',
  ]) {
    const { walletId, addresses } = await imported(`${mnemonic}\n--PASS--\n${passphrase}`)
    assert.deepEqual(addresses, [addressOfWords(mnemonic, passphrase)])
    assert.equal(await exportedText({ walletId }), `${mnemonic}\n${passphrase}`)
  }
  const { walletId, addresses } = await imported(`${mnemonic}\n--PASS--\n`)
  assert.deepEqual(addresses, [addressOfWords(mnemonic)])
  assert.equal(await exportedText({ walletId }), mnemonic)
})

test('a mnemonic of another list makes its own seed, and goes out as it came in unless another list is asked for', async () => {
  const sentence = newWords(japanese).normalize('NFKD')
  const { walletId, addresses } = await imported(sentence.replaceAll(' ', '\u3000').normalize('NFC'))
  assert.deepEqual(addresses, [addressOfWords(sentence)])
  assert.equal(await exportedText({ walletId }), sentence)
  assert.equal(await exportedText({ walletId, language: 'MNEMONIC_LANGUAGE_JAPANESE' }), sentence)
  const entropy = mnemonicToEntropy(sentence, japanese)
  const inEnglish = await exported(EXPORT, { walletId, language: 'MNEMONIC_LANGUAGE_ENGLISH' })
  assert.equal(inEnglish, entropyToMnemonic(entropy, english))
  assert.equal(
    await exportedText({ walletId, language: 'MNEMONIC_LANGUAGE_FRENCH' }),
    entropyToMnemonic(entropy, french).normalize('NFKD'),
  )
  // That is another seed, and so it may come in as another wallet.
  assert.notDeepEqual((await imported(inEnglish)).addresses, addresses)
  const unknown = await submitted(root, EXPORT, { walletId, targetPublicKey, language: 'KLINGON' })
  assert.equal(unknown.status, 400)
})

test('a wallet that was made here goes out in English, and opens the same accounts elsewhere', async () => {
  const { walletId, addresses } = await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Made here',
    accounts: [ethereum],
  })
  assert.deepEqual([addressOfWords(await exported(EXPORT, { walletId }))], addresses)
})

test('the same seed comes in once, and the failure names the wallet that has it', async () => {
  const mnemonic = newWords()
  const first = await imported(mnemonic)
  for (const spelled of [mnemonic, ` ${mnemonic.replaceAll(' ', '  ')}`, `${mnemonic}\n--PASS--\n`]) {
    const bundle = await anEncryptedMnemonic({ service, by: root }, spelled)
    const { status, json } = await submitted(root, IMPORT, importOf(bundle, { accounts: [solana] }))
    assert.equal(status, 409)
    assert.deepEqual(json, {
      code: 6,
      message: `seed for wallet ${first.walletId} already imported in this organization`,
      details: [],
    })
  }
  const createdId = (
    await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Comes back', accounts: [] })
  ).walletId
  const back = await anEncryptedMnemonic(
    { service, by: root },
    await exported(EXPORT, { walletId: createdId }),
  )
  const refused = await submitted(root, IMPORT, importOf(back))
  assert.equal(refused.json.message, `seed for wallet ${createdId} already imported in this organization`)
  // Another passphrase is another seed, and another organization knows nothing of it.
  await imported(`${mnemonic}\n--PASS--\nother`)
  const elsewhere = await service.newOrganization()
  assert.deepEqual((await imported(mnemonic, {}, elsewhere)).addresses, first.addresses)
  const twice = await anEncryptedMnemonic({ service, by: root }, newWords())
  const name = await submitted(root, IMPORT, importOf(twice, { walletName: 'Made here' }))
  assert.equal(name.status, 409)
  assert.match(name.json.message, /^wallet label must be unique/)
})

test('what is no mnemonic is refused without a word of it, and the target stays', async () => {
  const { importBundle } = await service.done(root, INIT, { userId: root.userId })
  const { targetPublic } = JSON.parse(Buffer.from(JSON.parse(importBundle).data, 'hex').toString())
  const targetKeyBuf = new Uint8Array(Buffer.from(targetPublic, 'hex'))
  const encrypted = (plainTextBuf: Uint8Array) => formatHpkeBuf(hpkeEncrypt({ plainTextBuf, targetKeyBuf }))
  const encryptedText = (text: string) => encrypted(new Uint8Array(Buffer.from(text)))
  const good = newWords()
  const words = good.split(' ')
  const flipped = encryptedText(good).replace(
    /.("\s*})$/,
    (end) => (end.startsWith('0') ? '1' : '0') + end.slice(1),
  )
  const notMnemonics = [
    '',
    'zyzzyva',
    words.slice(1).join(' '),
    [...words, ...words].slice(0, 13).join(' '),
    [...words.slice(1), 'zyzzyva'].join(' '),
    'abandon '.repeat(12),
    good.toUpperCase(),
    `${good}\nTREZOR`,
    `${good} --PASS-- x`,
    '\n--PASS--\nx',
    'x'.repeat(5_000),
  ]
  const cases: readonly (readonly [string, RegExp])[] = [
    ['{}', /^failed to deserialize encrypted bundle/],
    ['nothing', /^failed to deserialize encrypted bundle/],
    ['[]', /^failed to deserialize encrypted bundle/],
    [flipped, /^encrypted bundle does not open/],
    [encrypted(Uint8Array.of(0xc3, 0x28)), /^invalid mnemonic: /],
    [encrypted(service.world.randomBytes(32)), /^invalid mnemonic: /],
    ...notMnemonics.map((text) => [encryptedText(text), /^invalid mnemonic: /] as const),
  ]
  for (const [bundle, message] of cases) {
    const { status, json, text } = await submitted(root, IMPORT, importOf(bundle))
    assert.equal(status, 400)
    assert.equal(json.code, 3)
    assert.match(json.message, message)
    assert.ok(!text.includes('zyzzyva') && !text.includes(words.slice(1, 3).join(' ')))
  }
  await service.done(root, IMPORT, importOf(encryptedText(good)))
  const again = await submitted(root, IMPORT, importOf(encryptedText(newWords())))
  assert.equal(again.json.code, 9)
})

test('only the newest target of a user is good, for one wallet, and not for a private key', async () => {
  const older = await anEncryptedMnemonic({ service, by: root }, newWords())
  const newer = await anEncryptedMnemonic({ service, by: root }, newWords())
  const stale = await submitted(root, IMPORT, importOf(older))
  assert.match(stale.json.message, /^encrypted bundle does not open/)
  // A target for a private key takes no wallet's place.
  await service.done(root, 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId: root.userId })
  await service.done(root, IMPORT, importOf(newer))
  const forKeys = await submitted(root, IMPORT, importOf(newer))
  assert.equal(forKeys.status, 400)
  assert.equal(forKeys.json.code, 9)
})

test('an import names its own user: the root user may not name another, and a stranger is not found', async () => {
  const other = await service.user('Someone else')
  const bundle = await anEncryptedMnemonic({ service, by: root }, newWords())
  for (const [userId, status, code] of [
    [other.userId, 403, 7],
    [NOWHERE, 404, 5],
  ] as const)
    for (const [type, parameters] of [
      [INIT, { userId }],
      [IMPORT, importOf(bundle, { userId })],
    ] as const) {
      const refused = await submitted(root, type, parameters)
      assert.equal(refused.status, status)
      assert.equal(refused.json.code, code)
      if (code === 5)
        assert.equal(refused.json.message, `unable to find user ${NOWHERE} in organization ${organizationId}`)
    }
  // Nor does someone else's request open what was encrypted for this user.
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Importers',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'IMPORT'",
    notes: '',
  })
  await service.done(other, INIT, { userId: other.userId })
  const stolen = await submitted(other, IMPORT, importOf(bundle, { userId: other.userId }))
  assert.match(stolen.json.message, /^encrypted bundle does not open/)
})

test('the key of an account leaves alone, as secp256k1 scalar or Ed25519 seed, and its wallet has not left', async () => {
  const mnemonic = newWords()
  const { walletId, addresses } = await imported(mnemonic, { accounts: [ethereum, solana] })
  const [address, onSolana] = addresses
  const seed = pbkdf2Sync(mnemonic, 'mnemonic', 2048, 64, 'sha512')
  const { privateKey } = HDNodeWallet.fromSeed(seed).derivePath(ETHEREUM_PATH)
  const read = { returnMnemonic: false, keyFormat: 'HEXADECIMAL' } as const
  assert.equal(`0x${await exported(EXPORT_ACCOUNT, { address }, read)}`, privateKey)
  assert.equal((await walletShown(walletId)).exported, false)

  const solanaSeed = Buffer.from(await exported(EXPORT_ACCOUNT, { address: onSolana }, read), 'hex')
  const { publicKey } = await accountShown(walletId, onSolana)
  assert.equal(hex(ed25519.getPublicKey(solanaSeed)), publicKey)
})

test('an account that has left, and no other, may be deleted without saying so', async () => {
  const atOther = { ...ethereum, path: "m/44'/60'/0'/0/1" }
  const { walletId, addresses } = await imported(newWords(), { accounts: [ethereum, atOther] })
  const [left, stays] = await Promise.all(addresses.map((address: string) => accountShown(walletId, address)))
  await service.done(root, EXPORT_ACCOUNT, { address: left.address, targetPublicKey })
  const DELETE = 'ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS'
  const refused = await submitted(root, DELETE, { walletAccountIds: [stays.walletAccountId] })
  assert.equal(refused.status, 400)
  assert.match(refused.json.message, /^wallet account has not been exported/)
  await service.done(root, DELETE, { walletAccountIds: [left.walletAccountId] })
})

test('an address is found exactly as it is, and only by its own organization', async () => {
  const { addresses } = await imported(newWords())
  const [address] = addresses
  for (const unknown of [address.toLowerCase(), '0x00', "m/44'/60'/0'/0/0", 'ü']) {
    const { status, json } = await submitted(root, EXPORT_ACCOUNT, { address: unknown, targetPublicKey })
    assert.equal(status, 404)
    assert.equal(json.code, 5)
    assert.equal(json.message, `Could not find wallet account with address: ${unknown}`)
  }
  const elsewhere = await service.newOrganization()
  const theirs = await submitted(elsewhere, EXPORT_ACCOUNT, { address, targetPublicKey })
  assert.equal(theirs.json.message, `Could not find wallet account with address: ${address}`)
})

test('a wallet and an account leave only for a P-256 point, in either form', async () => {
  const { walletId, addresses } = await imported(newWords())
  const compressed = hex(p256.Point.fromHex(targetPublicKey).toBytes(true))
  const notAPoint = `${targetPublicKey.slice(0, -2)}${targetPublicKey.endsWith('00') ? '01' : '00'}`
  for (const [type, whose] of [
    [EXPORT, { walletId }],
    [EXPORT_ACCOUNT, { address: addresses[0] }],
  ] as const) {
    for (const wrong of ['zz', `06${targetPublicKey.slice(2)}`, notAPoint]) {
      const refused = await submitted(root, type, { ...whose, targetPublicKey: wrong })
      assert.equal(refused.status, 400)
      assert.match(refused.json.message, /^invalid target public key/)
    }
    await exported(
      type,
      { ...whose, targetPublicKey: compressed },
      { returnMnemonic: false, keyFormat: 'HEXADECIMAL' },
    )
  }
  const none = await submitted(root, EXPORT, { walletId: NOWHERE, targetPublicKey })
  assert.equal(none.status, 404)
})

test('policies see whose wallet and which account leaves, where it is in its wallet, and for which key', async () => {
  const exporter = await service.user('Exporter')
  const accounts = [ethereum, { ...ethereum, path: "m/44'/60'/0'/0/1" }, solana]
  const { walletId, addresses } = await imported(newWords(), { accounts })
  const policy = async (effect: string, condition: string) =>
    await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: `Policy ${made++}`,
      effect,
      condition,
      consensus: `approvers.any(user, user.id == '${exporter.userId}')`,
      notes: '',
    })
  await policy(
    'EFFECT_ALLOW',
    `activity.kind == 'EXPORT_WALLET_ACCOUNT' && activity.resource == 'WALLET' && wallet.imported && wallet_account.wallet_id == '${walletId}' && wallet_account.path_indexes[4] == 1 && wallet_account.path_hardened[2] && !wallet_account.path_hardened[4] && wallet_account.curve == 'CURVE_SECP256K1' && wallet_account.address_format == 'ADDRESS_FORMAT_ETHEREUM' && wallet_account.address == '${addresses[1]}' && activity.params.target_public_key == '${targetPublicKey}'`,
  )
  const statusOf = async (address: string, target = targetPublicKey) =>
    (await submitted(exporter, EXPORT_ACCOUNT, { address, targetPublicKey: target })).status
  assert.deepEqual(
    [await statusOf(addresses[0]), await statusOf(addresses[1]), await statusOf(addresses[2])],
    [403, 200, 403],
  )
  assert.equal(await statusOf(addresses[1], hex(p256.Point.BASE.toBytes(false))), 403)
  assert.equal((await submitted(exporter, EXPORT, { walletId, targetPublicKey })).status, 403)
  await policy(
    'EFFECT_ALLOW',
    `activity.kind == 'EXPORT_WALLET' && wallet.id == '${walletId}' && !wallet.exported`,
  )
  assert.equal((await submitted(exporter, EXPORT, { walletId, targetPublicKey })).status, 200)
  assert.equal((await submitted(exporter, EXPORT, { walletId, targetPublicKey })).status, 403)
})
