import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decryptExportBundle, encryptPrivateKeyToBundle, encryptWalletToBundle } from '@turnkey/crypto'
import fc from 'fast-check'
import { present } from '../base/assert.ts'
import { concat, toHex, utf8 } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import { exportBundle, importTargetBundle, openClientBundle, quorumSigner } from './bundles.ts'
import { seal } from './hpke.ts'
import { p256PublicKeyOf, p256UncompressedKeyOf, p256VerifyKey, readP256Key, verifyP256 } from './p256.ts'
import { hex, seededBytes, vectorTest } from './testing/vectors.ts'

const signer = quorumSigner(hex('11'.repeat(32)))
const target = hex('99'.repeat(32))
const targetKey = present(readP256Key(p256PublicKeyOf(target)), 'a key')
const organizationId = 'f9e6a1c2-5b1d-4c8e-9a57-3d1c0b2e4f60'
const userId = '0b8d2f1e-7c34-4a5b-8e6f-1a2b3c4d5e6f'
const privateKey = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const mnemonic = 'test test test test test test test test test test test junk'

const failureOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    return error.message
  }
  return 'none'
}

test('a published client opens an exported private key and an exported phrase', async () => {
  const random = seededBytes(7)
  const to = { receiver: targetKey, organizationId }
  const client = {
    embeddedKey: toHex(target),
    organizationId,
    dangerouslyOverrideSignerPublicKey: signer.publicKey,
  }
  const ofKey = exportBundle(hex(privateKey), to, signer, random)
  const key = await decryptExportBundle({ ...client, exportBundle: ofKey, returnMnemonic: false })
  assert.equal(key, privateKey)
  const ofPhrase = exportBundle(utf8(mnemonic), to, signer, random)
  assert.equal(
    await decryptExportBundle({ ...client, exportBundle: ofPhrase, returnMnemonic: true }),
    mnemonic,
  )
})

test('a published client refuses an export that another key signed or that is of another organization', async () => {
  const exported = exportBundle(
    utf8(mnemonic),
    { receiver: targetKey, organizationId },
    signer,
    seededBytes(7),
  )
  const client = {
    exportBundle: exported,
    embeddedKey: toHex(target),
    organizationId,
    returnMnemonic: true,
    dangerouslyOverrideSignerPublicKey: signer.publicKey,
  }
  const other = quorumSigner(hex('12'.repeat(32))).publicKey
  await assert.rejects(decryptExportBundle({ ...client, dangerouslyOverrideSignerPublicKey: other }))
  await assert.rejects(decryptExportBundle({ ...client, organizationId: userId }))
})

test('what a published client encrypts to an import target opens', async () => {
  const importBundle = importTargetBundle(targetKey, { organizationId, userId }, signer)
  const client = {
    importBundle,
    organizationId,
    userId,
    dangerouslyOverrideSignerPublicKey: signer.publicKey,
  }
  const ofKey = await encryptPrivateKeyToBundle({ ...client, privateKey, keyFormat: 'HEXADECIMAL' })
  assert.equal(toHex(openClientBundle(ofKey, target)), privateKey)
  const ofPhrase = await encryptWalletToBundle({ ...client, mnemonic })
  assert.equal(Buffer.from(openClientBundle(ofPhrase, target)).toString(), mnemonic)
})

test('a bundle has the form and order of fields that clients were written against', () => {
  const exported = exportBundle(utf8('x'), { receiver: targetKey, organizationId }, signer, seededBytes(7))
  const envelope: Record<string, string> = JSON.parse(exported)
  assert.deepEqual(Object.keys(envelope), ['version', 'data', 'dataSignature', 'enclaveQuorumPublic'])
  assert.equal(envelope['version'], 'v1.0.0')
  assert.match(envelope['enclaveQuorumPublic'] ?? '', /^04[0-9a-f]{128}$/)
  const data = hex(envelope['data'] ?? '')
  const content: Record<string, string> = JSON.parse(Buffer.from(data).toString())
  assert.deepEqual(Object.keys(content), ['encappedPublic', 'ciphertext', 'organizationId'])
  assert.match(content['encappedPublic'] ?? '', /^04[0-9a-f]{128}$/)
  const verifyKey = present(p256VerifyKey(signer.publicKey), 'a key')
  assert.ok(verifyP256(verifyKey, data, hex(envelope['dataSignature'] ?? '')))

  const importing: Record<string, string> = JSON.parse(
    importTargetBundle(targetKey, { organizationId, userId }, signer),
  )
  const imported: Record<string, string> = JSON.parse(Buffer.from(importing['data'] ?? '', 'hex').toString())
  assert.deepEqual(imported, { targetPublic: targetKey.uncompressed, organizationId, userId })
})

test('the same randomness gives the same bundle, and other randomness another', () => {
  const make = (seed: number) =>
    exportBundle(utf8('x'), { receiver: targetKey, organizationId }, signer, seededBytes(seed))
  assert.equal(make(1), make(1))
  assert.notEqual(make(1), make(2))
})

/** A client's side of an import, with our own HPKE. */
function clientBundle(plaintext: Uint8Array): { encappedPublic: string; ciphertext: string } {
  const receiver = p256UncompressedKeyOf(target)
  const sealed = seal({
    receiver,
    info: utf8('turnkey_hpke'),
    aad: (encapped) => concat(encapped, receiver),
    plaintext,
    ephemeral: hex('66'.repeat(32)),
  })
  return { encappedPublic: toHex(sealed.encappedPublic), ciphertext: toHex(sealed.ciphertext) }
}

test('a bundle that does not parse is told from one that does not open', () => {
  const good = clientBundle(utf8('x'))
  assert.equal(toHex(openClientBundle(JSON.stringify(good), target)), toHex(utf8('x')))
  const unread = [
    '',
    'null',
    '[]',
    '"text"',
    '{',
    '{}',
    JSON.stringify({ ...good, ciphertext: 5 }),
    JSON.stringify({ ...good, ciphertext: 'xyz' }),
    JSON.stringify({ ...good, ciphertext: '00'.repeat(15) }),
    JSON.stringify({ encappedPublic: good.encappedPublic }),
    JSON.stringify({ ciphertext: good.ciphertext }),
    JSON.stringify({ ...good, encappedPublic: `04${'00'.repeat(64)}` }),
    JSON.stringify({ ...good, encappedPublic: `${good.encappedPublic.slice(0, -2)}00` }),
    `{"encappedPublic":"${good.encappedPublic}","ciphertext":"00","ciphertext":"${good.ciphertext}"}`,
  ]
  for (const bundle of unread) {
    assert.match(
      failureOf(() => openClientBundle(bundle, target)),
      /^failed to deserialize encrypted bundle: /,
      bundle,
    )
  }
  const altered = {
    ...good,
    ciphertext: `${good.ciphertext.slice(0, -1)}${good.ciphertext.endsWith('0') ? '1' : '0'}`,
  }
  const otherTarget = hex('98'.repeat(32))
  const unopened = [
    failureOf(() => openClientBundle(JSON.stringify(altered), target)),
    failureOf(() => openClientBundle(JSON.stringify(good), otherTarget)),
  ]
  for (const message of unopened) assert.match(message, /^encrypted bundle does not open/)
})

test('any text opens or fails cleanly', () => {
  const almost = fc
    .record({
      encappedPublic: fc.oneof(fc.constant(targetKey.uncompressed), fc.string()),
      ciphertext: fc.string(),
    })
    .map((bundle) => JSON.stringify(bundle))
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), almost), (bundle) => {
      assert.notEqual(
        failureOf(() => openClientBundle(bundle, target)),
        'none',
      )
    }),
  )
})

type Kats = {
  keys: Record<string, { privateKey: string; publicKeyUncompressed: string }>
  exportBundle: {
    organizationId: string
    receiver?: string
    receiverPrivateKey?: string
    signer: string
    bundle: string
    decoded?: string
    plaintext?: string
  }[]
  importBundle: {
    importBundle: string
    target: string
    signer: string
    organizationId: string
    userId: string
    encryptedBundle: string
    plaintextUtf8: string
  }
}

vectorTest<Kats>(
  'the known import opens, and its target bundle is ours but for the nonce of its signature',
  'facts/crypto-kats.json',
  (kats) => {
    const known = kats.importBundle
    const secret = hex(present(kats.keys[known.target], 'the target').privateKey)
    assert.equal(Buffer.from(openClientBundle(known.encryptedBundle, secret)).toString(), known.plaintextUtf8)

    const receiver = present(readP256Key(p256PublicKeyOf(secret)), 'a key')
    const quorum = quorumSigner(hex(present(kats.keys[known.signer], 'the signer').privateKey))
    const ours: Record<string, string> = JSON.parse(importTargetBundle(receiver, known, quorum))
    const theirs: Record<string, string> = JSON.parse(known.importBundle)
    assert.deepEqual({ ...ours, dataSignature: '' }, { ...theirs, dataSignature: '' })
  },
)

vectorTest<Kats>(
  'the known exports are verified and are ours to the letter',
  'facts/crypto-kats.json',
  (kats) => {
    assert.equal(kats.exportBundle.length, 6)
    let remade = 0
    for (const known of kats.exportBundle) {
      const envelope: Record<string, string> = JSON.parse(known.bundle)
      const data = hex(envelope['data'] ?? '')
      const key = present(p256VerifyKey(envelope['enclaveQuorumPublic'] ?? ''), 'the signer')
      assert.ok(verifyP256(key, data, hex(envelope['dataSignature'] ?? '')))

      const content: Record<string, string> = JSON.parse(Buffer.from(data).toString())
      const receiver =
        known.receiver === undefined ? known.receiverPrivateKey : kats.keys[known.receiver]?.privateKey
      const opened = openClientBundle(JSON.stringify(content), hex(receiver ?? ''))
      const expected = known.plaintext ?? known.decoded ?? ''
      assert.ok([toHex(opened), Buffer.from(opened).toString()].includes(expected))

      // The captured one was made with an ephemeral key that only its maker knew.
      if (known.receiver === undefined) continue
      const receiverKey = present(readP256Key(p256PublicKeyOf(hex(receiver ?? ''))), 'a key')
      const to = { receiver: receiverKey, organizationId: known.organizationId }
      const ephemeral = hex(present(kats.keys['hpkeEphemeral'], 'the ephemeral key').privateKey)
      const ours: Record<string, string> = JSON.parse(
        exportBundle(opened, to, signer, () => Buffer.from(ephemeral)),
      )
      assert.equal(ours['data'], envelope['data'])
      assert.equal(ours['enclaveQuorumPublic'], envelope['enclaveQuorumPublic'])
      remade++
    }
    assert.equal(remade, 5)
  },
)
