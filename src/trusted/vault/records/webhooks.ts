import { assert } from '../../base/assert.ts'
import { utf8 } from '../../base/bytes.ts'
import { ed25519PublicKeyOf } from '../../crypto/ed25519.ts'
import { signWebhook } from '../../crypto/webhook-signature.ts'
import { activityView } from './activity-view.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { SignedWebhook, WebhookRequest } from '../../../protocol/vault.ts'
import { eventIdOf, recordAt } from './record-at.ts'
import { checkActivity } from '../seals/seals.ts'

/** The short name of the key that webhooks are signed with: the first half of its public key. */
export function webhookKeyId(publicKey: string): string {
  return publicKey.slice(0, 32)
}

/**
 * Renders the activity at a revision, and signs the result. Only recorded content is ever signed, and under no other id
 * than that of its event: receivers know a repeat by it.
 */
export function signedWebhook(keyring: Keyring, request: WebhookRequest): SignedWebhook {
  const { row, revision, eventId, timestampMs } = request
  checkActivity(keyring, row)
  const { activityId } = row
  assert(eventId === eventIdOf({ activityId, revision }), 'an event is named by its activity and revision')
  const secret = keyring.serviceSecret('webhook')
  const keyId = webhookKeyId(ed25519PublicKeyOf(secret))
  // It has no particular reader, so no rights to vote are shown.
  const body = activityView(recordAt(row, revision), '', row.updatedAt)
  const signature = signWebhook({ keyId, timestampMs, eventId, body: utf8(body) }, secret)
  return { body, keyId, signature }
}
