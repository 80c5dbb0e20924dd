import type { Ms } from '../../trusted/base/world.ts'
import type { Mail } from './mailer.ts'
import { escaped } from './templates/letter.ts'
import type { OutgoingText } from './text-messages.ts'

/** A message that would have been sent. */
type InboxEntry = { readonly at: Ms } & (
  | ({ readonly channel: 'email' } & Mail)
  | ({ readonly channel: 'sms' } & OutgoingText)
)

export type Inbox = {
  readonly mailer: { readonly send: (mail: Mail) => Promise<void> }
  readonly textMessages: { readonly send: (message: OutgoingText) => Promise<void> }
  /** `{"messages":[…]}`, newest first; `at` is in milliseconds since the epoch. */
  readonly json: () => string
  /** The same as a page, without scripts and without the HTML of a mail. */
  readonly page: () => string
}

const ENTRIES_MAX = 200

/**
 * The destination of mail and text messages in development, if none is configured: the last messages are kept in
 * memory, and shown to every caller. A repetition of a message replaces the earlier one.
 */
export function openInbox(now: () => Ms): Inbox {
  const entries = new Map<string, InboxEntry>()
  const keep = (id: string, entry: InboxEntry): void => {
    entries.delete(id)
    entries.set(id, entry)
    for (const oldest of entries.keys()) {
      if (entries.size <= ENTRIES_MAX) return
      entries.delete(oldest)
    }
  }
  const newestFirst = (): readonly InboxEntry[] => [...entries.values()].toReversed()
  return {
    mailer: {
      send: async (mail) => keep(`email ${mail.messageId}`, { at: now(), channel: 'email', ...mail }),
    },
    textMessages: {
      send: async (text) => keep(`sms ${text.reference}`, { at: now(), channel: 'sms', ...text }),
    },
    json: () => JSON.stringify({ messages: newestFirst() }),
    page: () => page(newestFirst()),
  }
}

/** The style of the page, in a file of its own, because the pages of the service have no inline styles. */
export const INBOX_STYLE = `
:root { color-scheme: light dark }
body { font: 1em/1.5 sans-serif; max-width: 48em; margin: 2em auto; padding: 0 1em }
article { border-top: 1px solid; padding: 1em 0 }
h2 { font-size: 1em; margin: 0 }
pre { white-space: pre-wrap; overflow-wrap: anywhere }
`

function page(entries: readonly InboxEntry[]): string {
  const body = entries.length === 0 ? '<p>Nothing has been sent yet.</p>' : entries.map(entryHtml).join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Inbox</title>
<link rel="stylesheet" href="/dev/inbox.css">
</head>
<body>
<h1>Inbox</h1>
<p>What would have been sent, the newest first. Reload to see more. Also as <a href="/dev/inbox.json">JSON</a>.</p>
${body}
</body>
</html>
`
}

function entryHtml(entry: InboxEntry): string {
  const subject = entry.channel === 'email' ? entry.subject : 'Text message'
  const from =
    entry.channel === 'email' && entry.fromAddress !== undefined ? ` from ${entry.fromAddress}` : ''
  const when = new Date(entry.at).toISOString()
  return `<article>
<h2>${escaped(subject)}</h2>
<p>to ${escaped(entry.to)}${escaped(from)}, <time datetime="${when}">${when}</time></p>
<pre>${escaped(entry.text)}</pre>
</article>`
}
