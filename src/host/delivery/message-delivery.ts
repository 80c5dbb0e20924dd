import type { Ms } from '../../trusted/base/world.ts'
import type { EmailMessage, TextMessage } from '../../trusted/catalogue/message.ts'
import type { JobRow } from '../../trusted/catalogue/unit.ts'
import type { Vault } from '../../protocol/vault.ts'
import { DeliveryError } from './delivery-error.ts'
import { CONNECTIONS_MAX, type Mailer } from './mailer.ts'
import type { Outcome, Prepared } from './outcome.ts'
import { renderMail, renderText } from './render-message.ts'
import type { SenderRules } from './sender.ts'
import type { TextMessages } from './text-messages.ts'

export type MessageParts = {
  readonly vault: Pick<Vault, 'openJob'>
  /** Absent if none is configured. */
  readonly mailer?: Pick<Mailer, 'send'>
  readonly textMessages?: TextMessages
  readonly senderRules: SenderRules
  /** Whether an address accepts one more mail about a stopped recovery; absent if there is no limit. */
  readonly hasRoomForStop?: (to: string) => boolean
  readonly now: () => Ms
}

/**
 * Sends a message to a person, in the turn of a tenant. Its content is opened for the attempt, and is in plain text
 * nowhere else outside the vault.
 */
export function prepareMessage(parts: MessageParts, row: JobRow, tenant: string): Prepared {
  return {
    kind: 'ready',
    place: row.kind,
    ...(row.kind === 'email' ? { placeMax: CONNECTIONS_MAX } : {}),
    tenant,
    organization: row.organizationId,
    attempt: async () => {
      const message = await parts.vault.openJob(row)
      if (message.expiresAt !== undefined && message.expiresAt <= parts.now())
        return { kind: 'refused', failure: 'its content has expired' }
      if (isOfStop(message) && parts.hasRoomForStop?.(message.to) === false) return { kind: 'dropped' }
      const send =
        message.channel === 'email' ? mailSender(parts, row, message) : textSender(parts, row, message)
      return typeof send === 'function' ? await judged(send) : send
    },
  }
}

/**
 * This message alone can be caused by anyone at any time, again and again. Messages about the beginning, the progress
 * and the completion of a recovery are always sent.
 */
function isOfStop(message: EmailMessage | TextMessage): boolean {
  return message.channel === 'email' && message.organizationRecovery?.state === 'stopped'
}

function mailSender(
  { mailer, senderRules }: MessageParts,
  { jobId }: JobRow,
  message: EmailMessage,
): (() => Promise<void>) | Outcome {
  if (mailer === undefined)
    return { kind: 'refused', failure: 'no mail server is configured (CLAVIGER_SMTP_URL)' }
  return () => mailer.send({ ...renderMail(message, senderRules), messageId: jobId })
}

function textSender(
  { textMessages }: MessageParts,
  { jobId }: JobRow,
  message: TextMessage,
): (() => Promise<void>) | Outcome {
  if (textMessages === undefined)
    return {
      kind: 'refused',
      failure: 'no provider of text messages is configured (CLAVIGER_TWILIO_ACCOUNT_SID)',
    }
  return () => textMessages.send({ ...renderText(message), reference: jobId })
}

async function judged(send: () => Promise<void>): Promise<Outcome> {
  try {
    await send()
    return { kind: 'delivered' }
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    const { kind, message: failure, retryAfterMs } = error
    return kind === 'permanent' ? { kind: 'refused', failure } : { kind: 'failed', failure, retryAfterMs }
  }
}
