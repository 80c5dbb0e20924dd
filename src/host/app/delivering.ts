import { realWorld } from '../../trusted/base/real-world.ts'
import type { Inbox } from '../delivery/inbox.ts'
import { openMailer } from '../delivery/mailer.ts'
import { prepareMessage, type MessageParts } from '../delivery/message-delivery.ts'
import { openOutbound, type Outbound } from '../outside/outbound.ts'
import { auditSinkOf } from '../delivery/audit/audit-sink-of.ts'
import { prepareAudit } from '../delivery/audit/prepare-audit.ts'
import { AUDIT } from '../store/audit-target.ts'
import { type Delivery, startDelivery } from '../delivery/runner.ts'
import { realTimers } from '../outside/timers.ts'
import { twilio } from '../delivery/twilio.ts'
import { prepareWebhook } from '../delivery/webhook-delivery.ts'
import type { Host } from '../pipeline/host.ts'
import type { Config } from './config.ts'
import { closedOrTimedOut } from './drain.ts'
import type { CarryParts } from '../delivery/attempt-job.ts'
import { roomForStopMails } from './stop-mails.ts'

/** Longer than an attempt at a webhook. A mail that takes longer stays until its lease ends, and is sent again. */
const STOP_MS_MAX = 12_000

/**
 * Messages and webhooks of this host, according to the operator's settings; in development the inbox takes messages
 * without a provider.
 */
export function startDelivering(parts: {
  readonly host: Host
  readonly outbound: Outbound
  readonly config: Config['delivery']
  readonly rateLimits: Config['rateLimits']
  /** Undefined if this host has no audit stream. */
  readonly audit: Config['audit']['target']
  readonly inbox: Inbox | undefined
  readonly onEnded: CarryParts['onEnded']
  readonly onBug: (bug: unknown) => void
}): Delivery {
  const { host, outbound, config, rateLimits, audit, inbox, onEnded, onBug } = parts
  const { store, vault, checked: charters } = host
  const mailer = config.mail === undefined ? undefined : openMailer(config.mail)
  const mailing = mailer ?? inbox?.mailer
  const texting =
    config.twilio === undefined
      ? inbox?.textMessages
      : twilio({ outbound, ...config.twilio, now: realWorld.now })
  const hasRoomForStop = roomForStopMails(rateLimits, realWorld)
  const messages: Omit<MessageParts, 'now'> = {
    vault,
    senderRules: config,
    ...(hasRoomForStop === undefined ? {} : { hasRoomForStop }),
    ...(mailing === undefined ? {} : { mailer: mailing }),
    ...(texting === undefined ? {} : { textMessages: texting }),
  }
  // The operator has named the receiver, so its address may be private.
  const toReceiver = openOutbound({ allowPrivate: true })
  const sink = audit === undefined ? undefined : auditSinkOf(audit, toReceiver)
  const delivery = startDelivery({
    store,
    prepare: async (job, now) => {
      if (job.kind !== 'webhook')
        return prepareMessage(
          { ...messages, now },
          job.row,
          await host.charters.tenantOf(job.row.organizationId),
        )
      if (job.webhook.scope !== AUDIT.scope)
        return await prepareWebhook({ store, vault, charters, outbound, now }, job.webhook)
      return sink === undefined
        ? { kind: 'failed', failure: 'CLAVIGER_AUDIT is off at this host' }
        : prepareAudit({ store, vault, sink }, job)
    },
    world: realWorld,
    timers: realTimers,
    onEnded,
    onBug,
  })
  return {
    wake: delivery.wake,
    stop: async () => {
      await closedOrTimedOut(delivery.stop(), STOP_MS_MAX)
      mailer?.close()
      toReceiver.close()
    },
  }
}
