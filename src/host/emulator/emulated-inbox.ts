import type { Ms } from '../../trusted/base/world.ts'
import type { Message } from '../../trusted/catalogue/message.ts'
import type { JobRow } from '../../trusted/catalogue/unit.ts'
import type { Vault } from '../../protocol/vault.ts'
import { openInbox } from '../delivery/inbox.ts'
import type { Mail } from '../delivery/mailer.ts'
import { prepareMessage } from '../delivery/message-delivery.ts'
import type { Prepared } from '../delivery/outcome.ts'
import type { OutgoingText } from '../delivery/text-messages.ts'
import { noMessage } from './failures.ts'

/** A message as the vault wrote it, and as it was sent. */
export type SentMessage = { readonly at: Ms; readonly jobId: string; readonly message: Message } & (
  | { readonly mail: Mail }
  | { readonly text: OutgoingText }
)

export type EmulatedInbox = {
  readonly prepare: (row: JobRow) => Prepared
  /** Oldest first. */
  readonly messages: () => readonly SentMessage[]
  /** The code in the newest message to this address or number. @throws Failure `noMessage` */
  readonly code: (contact: string) => string
  /** The form that `/dev/inbox` shows. */
  readonly json: () => string
  readonly page: () => string
}

const MESSAGES_MAX = 1_000

/** The destination of all mail and all text messages of an emulator. */
export function emulatedInbox(
  vault: Pick<Vault, 'openJob'>,
  now: () => Ms,
  earlier: readonly SentMessage[] = [],
): EmulatedInbox {
  const sent = new Map(earlier.map((message) => [message.jobId, message]))
  const keep = (message: SentMessage): void => {
    sent.delete(message.jobId)
    sent.set(message.jobId, message)
    for (const oldest of sent.keys()) {
      if (sent.size <= MESSAGES_MAX) return
      sent.delete(oldest)
    }
  }
  const messages = (): readonly SentMessage[] => [...sent.values()]
  return {
    prepare: (row) => prepared(vault, now, keep, row),
    messages,
    code: (contact) => {
      const to = messages().filter(({ message }) => message.to.toLowerCase() === contact.toLowerCase())
      const code = to.findLast(({ message }) => message.code !== undefined)?.message.code
      if (code !== undefined) return code
      throw noMessage({ contact, contacts: [...new Set(messages().map(({ message }) => message.to))] })
    },
    json: () => shown(messages()).json(),
    page: () => shown(messages()).page(),
  }
}

function prepared(
  vault: Pick<Vault, 'openJob'>,
  now: () => Ms,
  keep: (message: SentMessage) => void,
  row: JobRow,
): Prepared {
  let message: Message | undefined
  const entry = (): { readonly at: Ms; readonly jobId: string; readonly message: Message }[] =>
    message === undefined ? [] : [{ at: now(), jobId: row.jobId, message }]
  return prepareMessage(
    {
      vault: {
        openJob: async (job) => {
          message = await vault.openJob(job)
          return message
        },
      },
      mailer: { send: async (mail) => entry().forEach((of) => keep({ ...of, mail })) },
      textMessages: { send: async (text) => entry().forEach((of) => keep({ ...of, text })) },
      senderRules: { senderDomains: [] },
      now,
    },
    row,
    row.organizationId,
  )
}

function shown(messages: readonly SentMessage[]) {
  let at: Ms = 0
  const inbox = openInbox(() => at)
  for (const sent of messages) {
    at = sent.at
    void ('mail' in sent ? inbox.mailer.send(sent.mail) : inbox.textMessages.send(sent.text))
  }
  return inbox
}
