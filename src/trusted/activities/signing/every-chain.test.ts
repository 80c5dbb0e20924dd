import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encryptPrivateKeyToBundle } from '@turnkey/crypto'
import { aService, type Member } from '../../../../test/support/service.ts'
import { present } from '../../base/assert.ts'
import { fromHex, toHex } from '../../base/bytes.ts'
import { Caseless } from '../../base/caseless.ts'
import { finished } from '../../base/work.ts'
import { addressFormats, curvesOf } from '../../chains/address-format.ts'
import type { Chain } from '../../chains/chain.ts'
import { SECRET } from '../../chains/ethereum/testing/transactions.ts'
import { chains } from '../../chains/list.ts'
import type { Curve } from '../../crypto/curve.ts'

// What a chain declares, as clients and policies meet it: generated from the list, so that it holds for the next one
// too.

const service = await aService()
const { root } = service
after(() => service.close())

before(async () => {
  for (const curve of new Set(chains.map((chain) => chain.curve))) await importExampleKey(curve)
})

for (const chain of chains) {
  const { name, keyword, payload, transaction } = chain
  const isShown = `${keyword}.tx.${scalarOf(chain)} == ${keyword}.tx.${scalarOf(chain)}`

  if (transaction !== undefined) {
    test(`${name}: a transaction is signed by who may sign what shows its fields, and by nobody else`, async () => {
      const member = await service.user(`Signs ${name}`)
      const parameters = { type: transaction.type, unsignedTransaction: chain.example.unsigned }
      const sign = () => submit(member, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', chain, parameters)
      assert.equal((await sign()).status, 403)
      await policy(member, 'EFFECT_ALLOW', isShown)
      const { status, json } = await sign()
      assert.equal(status, 200)
      assert.match(json.activity.result.signTransactionResult.signedTransaction, /^[0-9a-f]+$/)
      await policy(member, 'EFFECT_DENY', isShown)
      assert.equal((await sign()).status, 403)
    })
  }

  test(`${name}: hexadecimal digits that policies compare exactly are in lower case`, () => {
    const signer = { ...chain.example, curve: chain.curve, interfaces: [] }
    const { unsigned } = chain.example
    const seen =
      transaction === undefined
        ? finished(present(payload, 'a rule of payloads').see(present(fromHex(unsigned), 'bytes'), signer))
        : finished(transaction.read(unsigned, signer)).seen
    const digits = textsIn(seen).filter((text) => /^(0x)?([0-9a-f]{2}){2,}$/i.test(text))
    // The example of Ethereum is a plain payment, which has no data.
    assert.ok(digits.length > 0 || keyword === 'eth')
    assert.deepEqual(
      digits.filter((text) => text !== text.toLowerCase()),
      [],
    )
  })

  if (payload?.shows === 'whole') {
    test(`${name}: a policy about its fields holds for raw payloads, which are not opaque`, async () => {
      const member = await service.user(`Signs bytes of ${name}`)
      const parameters = { ...HEXADECIMAL, hashFunction: payload.hashFunction }
      const sign = (bytes: string) =>
        submit(member, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', chain, { ...parameters, payload: bytes })
      await policy(member, 'EFFECT_ALLOW', isShown)
      assert.equal((await sign('00'.repeat(32))).status, 403)
      assert.equal((await sign(payloadOf(chain))).status, 200)
      await policy(member, 'EFFECT_DENY', 'payload.opaque')
      assert.equal((await sign(payloadOf(chain))).status, 200)
      await policy(member, 'EFFECT_DENY', isShown)
      assert.equal((await sign(payloadOf(chain))).status, 403)
    })
  }

  if (payload?.shows === 'part') {
    test(`${name}: a raw payload shows its fields to policies, and counts as opaque all the same`, async () => {
      const member = await service.user(`Signs bytes of ${name}`)
      const parameters = { ...HEXADECIMAL, hashFunction: payload.hashFunction, payload: payloadOf(chain) }
      const sign = () => submit(member, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', chain, parameters)
      await policy(member, 'EFFECT_ALLOW', isShown)
      assert.equal((await sign()).status, 200)
      await policy(member, 'EFFECT_DENY', 'payload.opaque')
      assert.equal((await sign()).status, 403)
    })
  }
}

/** Those that are compared without regard to case are no plain texts. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Caseless || typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

const HEXADECIMAL = { encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' }
let policies = 0

async function policy(member: Member, effect: string, condition: string): Promise<void> {
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: `Policy ${policies++}`,
    effect,
    consensus: `approvers.any(user, user.id == '${member.userId}')`,
    condition,
    notes: '',
  })
}

async function submit(member: Member, type: string, { example }: Chain, parameters: object) {
  service.world.advance(1)
  return await service.submit(member, type, { signWith: example.signWith, ...parameters })
}

/** A field that every transaction has a value for. */
function scalarOf({ namespace, lacks = {} }: Chain): string {
  const { tx } = namespace
  assert.ok(tx.kind === 'struct')
  const fields = Object.entries(tx.fields)
  const scalar = fields.find(
    ([name, { kind }]) => ['string', 'int'].includes(kind) && !(`tx.${name}` in lacks),
  )
  return present(scalar, 'a field')[0]
}

/** What is hashed, or signed as it is, of the example. */
function payloadOf({ transaction, example, curve }: Chain): string {
  if (transaction === undefined || curve !== 'CURVE_ED25519') return example.unsigned
  const read = finished(transaction.read(example.unsigned, { ...example, curve, interfaces: [] }))
  return toHex(present(read.toSign[0], 'something to sign').bytes)
}

async function importExampleKey(curve: Curve): Promise<void> {
  const { userId } = root
  const { importBundle } = await service.done(root, 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId })
  const encryptedBundle = await encryptPrivateKeyToBundle({
    privateKey: toHex(SECRET),
    keyFormat: 'HEXADECIMAL',
    importBundle,
    userId,
    organizationId: service.organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(importBundle).enclaveQuorumPublic,
  })
  await service.done(root, 'ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', {
    userId,
    privateKeyName: `Key on ${curve}`,
    encryptedBundle,
    curve,
    addressFormats: addressFormats.filter((format) => curvesOf(format).includes(curve)),
  })
}
