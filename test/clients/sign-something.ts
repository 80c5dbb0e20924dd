import assert from 'node:assert/strict'
import { sha256 } from '@noble/hashes/sha2.js'
import { assertActivityCompleted } from '@turnkey/http'
import { present } from '../../src/trusted/base/assert.ts'
import type { Stranger } from './setting.ts'
import { isGoodSignature } from './verify-signature.ts'

/**
 * Makes a key in somebody's organization and signs with it, with whatever they stamp with; the signature is verified.
 */
export async function signSomething({
  client,
  activity,
  organizationId,
}: Pick<Stranger, 'client' | 'activity' | 'organizationId'>): Promise<void> {
  const created = await client.createPrivateKeys(
    activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [
        {
          privateKeyName: `Key ${crypto.randomUUID()}`,
          curve: 'CURVE_P256' as const,
          privateKeyTags: [],
          addressFormats: [],
        },
      ],
    }),
  )
  assertActivityCompleted(created.activity)
  const made = created.activity.result.createPrivateKeysResultV2?.privateKeys[0]
  const privateKeyId = present(made?.privateKeyId, 'the new key')
  const text = 'signed in a session'
  const signing = await client.signRawPayload(
    activity('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: privateKeyId,
      payload: text,
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8' as const,
      hashFunction: 'HASH_FUNCTION_SHA256' as const,
    }),
  )
  const signature = present(signing.activity.result.signRawPayloadResult, 'the signature')
  const { publicKey } = (await client.getPrivateKey({ organizationId, privateKeyId })).privateKey
  const signed = sha256(new TextEncoder().encode(text))
  assert.ok(isGoodSignature('CURVE_P256', { publicKey, signed, signature }))
}
