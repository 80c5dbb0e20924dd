import { utf8 } from '../../trusted/base/bytes.ts'
import type { Ms } from '../../trusted/base/world.ts'
import { type Charter, featureOf, tenantOf } from '../../trusted/charter/charter.ts'
import { getsActivities, WEBHOOK_FEATURE } from '../../trusted/charter/directory.ts'
import { eventIdOf } from '../../trusted/vault/records/record-at.ts'
import type { CheckedCharters } from '../pipeline/checked-charters.ts'
import type { Store, WebhookJob } from '../store/store.ts'
import type { Vault } from '../../protocol/vault.ts'
import type { Outbound } from '../outside/outbound.ts'
import { OutboundError } from '../outside/outbound-error.ts'
import { retryAfterMs } from '../outside/retry-after.ts'
import type { Outcome, Prepared } from './outcome.ts'

type WebhookParts = {
  readonly store: Pick<Store, 'activity'>
  readonly vault: Pick<Vault, 'signWebhook'>
  readonly charters: Pick<CheckedCharters, 'get'>
  readonly outbound: Outbound
  readonly now: () => Ms
}

const TIMEOUT_MS = 10_000
const RECENT_MS = 1_000
const EVENT_TYPE = 'ACTIVITY_UPDATES'

/**
 * Sends one target an activity in the state of one revision. The target and its subscription come from the charter at
 * the moment of sending; the vault renders and signs the body from the record.
 */
export async function prepareWebhook(parts: WebhookParts, webhook: WebhookJob): Promise<Prepared | Outcome> {
  const found = await receiverOf(parts, webhook)
  if (found === undefined) return { kind: 'dropped' }
  const { url, tenant } = found
  const preparedAt = parts.now()
  return {
    kind: 'ready',
    place: URL.parse(url)?.host ?? url,
    tenant,
    organization: webhook.scope,
    attempt: async () => {
      // The job may have waited for room, and the endpoint may have been removed or changed in the meantime.
      const isRecent = parts.now() - preparedAt < RECENT_MS
      const current = isRecent ? url : (await receiverOf(parts, webhook))?.url
      return current === undefined ? { kind: 'dropped' } : await send(parts, webhook, current)
    },
  }
}

/**
 * The address of the target of a job, and its top-level organization, in a charter that the vault has confirmed;
 * undefined without a subscription.
 */
async function receiverOf(
  { charters }: WebhookParts,
  { scope, target, organizationId }: WebhookJob,
): Promise<{ readonly url: string; readonly tenant: string } | undefined> {
  const charter = await charters.get(scope)
  if (charter === undefined || charter.deleted) return undefined
  // Jobs are not sealed: a writer of the database must not be able to send one organization's activities to another.
  if (organizationId !== scope && (await charters.get(organizationId))?.parentId !== scope) return undefined
  const url = targetUrl(charter, target)
  return url === undefined ? undefined : { url, tenant: tenantOf(charter) }
}

function targetUrl(charter: Charter, target: string): string | undefined {
  if (target === WEBHOOK_FEATURE) return featureOf(charter, WEBHOOK_FEATURE)?.value
  const endpoint = charter.webhookEndpoints.find(({ endpointId }) => endpointId === target)
  return endpoint !== undefined && getsActivities(endpoint) ? endpoint.url : undefined
}

async function send(
  { store, vault, outbound, now }: WebhookParts,
  webhook: WebhookJob,
  url: string,
): Promise<Outcome> {
  const { organizationId, activityId, revision } = webhook
  const row = await store.activity(organizationId, activityId)
  if (row === undefined) return { kind: 'dropped' }
  const eventId = eventIdOf(webhook)
  const timestampMs = now()
  const { body, keyId, signature } = await vault.signWebhook({ row, revision, eventId, timestampMs })
  try {
    const { status, headers } = await outbound.request({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        'x-turnkey-organization-id': organizationId,
        'x-turnkey-event-type': EVENT_TYPE,
        'x-turnkey-timestamp': String(timestampMs),
        'x-turnkey-webhook-version': '1',
        'x-turnkey-event-id': eventId,
        'x-turnkey-signature-key-id': keyId,
        'x-turnkey-signature-algorithm': 'ed25519',
        'x-turnkey-signature-version': 'v1',
        'x-turnkey-signature': signature,
      },
      body: utf8(body),
      timeoutMs: TIMEOUT_MS,
      responseBytesMax: 0,
      statusOnly: true,
    })
    return judged(status, retryAfterMs(headers, now()))
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { kind: error.kind === 'refusedTarget' ? 'refused' : 'failed', failure: error.message }
  }
}

/** A receiver would repeat an answer of 3xx or 4xx, but for a 429 that says when it would not. */
function judged(status: number, retryAfterMs: Ms | undefined): Outcome {
  if (status >= 200 && status <= 299) return { kind: 'delivered' }
  const failure = `the endpoint answered ${status}`
  const mayPass = status >= 500 || (status === 429 && retryAfterMs !== undefined)
  return mayPass ? { kind: 'failed', failure, retryAfterMs } : { kind: 'refused', failure }
}
