import { assert, present } from '../base/assert.ts'
import { utf8 } from '../base/bytes.ts'
import type { ActivityRow, ActivityStatus } from '../catalogue/unit.ts'
import { ed25519PrivateKey, ed25519PublicKeyOf } from '../crypto/ed25519.ts'
import { signWebhook } from '../crypto/webhook-signature.ts'
import { activityView } from './activity-view.ts'
import type { Keyring } from './keyring.ts'
import type { SignedWebhook, WebhookRequest } from '../../protocol/vault.ts'
import { checkActivity } from './seals.ts'
import { votedAt, votesOf } from './votes.ts'

/** The short name of the key that webhooks are signed with: the first half of its public key. */
export function webhookKeyId(publicKey: string): string {
  return publicKey.slice(0, 32)
}

/** Renders the activity as it was at a revision, and signs that. Nothing but what the vault has recorded is ever signed. */
export function signedWebhook(keyring: Keyring, request: WebhookRequest): SignedWebhook {
  const { row, revision, eventId, timestampMs } = request
  checkActivity(keyring, row)
  const secret = keyring.serviceSecret('webhook')
  const keyId = webhookKeyId(ed25519PublicKeyOf(secret))
  // It is told to nobody in particular, who has no vote.
  const body = activityView(asOf(row, revision), '', row.updatedAt)
  const signature = signWebhook({ keyId, timestampMs, eventId, body: utf8(body) }, ed25519PrivateKey(secret))
  return { body, keyId, signature }
}

/** An earlier state of a record: an activity that has gone on was waiting before, and its votes and their judgements are kept in order. */
function asOf(row: ActivityRow, revision: number): ActivityRow {
  assert(revision >= 1 && revision <= row.revision, 'a revision that this record has had')
  if (revision === row.revision) return row
  // The vault wrote these lists, an entry for each revision.
  const votes = votesOf(row.votes).slice(0, revision)
  const judged = (JSON.parse(row.evaluations) as readonly { readonly status?: ActivityStatus }[]).slice(
    0,
    revision,
  )
  return {
    ...row,
    status: judged.at(-1)?.status ?? 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
    revision,
    updatedAt: votedAt(present(votes.at(-1), 'the vote that made this revision')),
    result: null,
    failure: null,
    votes: JSON.stringify(votes),
    evaluations: JSON.stringify(judged),
    voters: '[]',
  }
}
