import { present } from '../../src/trusted/base/assert.ts'
import { eventually } from '../support/eventually.ts'

/** What a service in development would have sent, read as a person reads their mail. */
export type Inbox = {
  /** The text of the newest message to a contact, once there are as many as `count`. */
  readonly newest: (contact: string, count?: number) => Promise<string>
}

type Entry = { readonly to: string; readonly text: string }

export function inboxOf(serviceUrl: string): Inbox {
  return {
    newest: async (contact, count = 1) => {
      let own: readonly Entry[] = []
      await eventually(
        async () => {
          const answer = await fetch(`${serviceUrl}/dev/inbox.json`)
          // The answer that `openInbox` writes, the newest first.
          const { messages } = (await answer.json()) as { readonly messages: readonly Entry[] }
          own = messages.filter(({ to }) => to === contact)
          return own.length >= count
        },
        () => `there are not ${count} messages to ${contact}`,
      )
      return present(own[0], 'at least one').text
    },
  }
}

/** A code stands on a line of its own. */
export function codeIn(text: string): string {
  return lineLike(text, /^[0-9A-Z]{6,9}$/m)
}

/** A credential bundle, in base58, stands on a line of its own too. */
export function bundleIn(text: string): string {
  return lineLike(text, /^[1-9A-HJ-NP-Za-km-z]{80,}$/m)
}

function lineLike(text: string, line: RegExp): string {
  return present(line.exec(text)?.[0], `a line ${line} in: ${text}`)
}
