import { isIPv4 } from 'node:net'
import type { Outbound, OutboundRequest } from '../outside/outbound.ts'
import type { Timers } from '../outside/timers.ts'
import { noWebhook } from './failures.ts'

/** One attempt at a webhook. */
export type SentWebhook = {
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The signed bytes, as text. */
  readonly body: string
  /** The answer of the receiver; 200 if none was called. */
  readonly status?: number
  /** The reason for a missing answer. */
  readonly failure?: string
}

export type SentWebhooks = {
  /** The outbound calls of webhooks. */
  readonly outbound: Outbound
  /** The oldest webhook that was not returned yet, or the next one. @throws Failure `noWebhook` */
  readonly next: (withinMs?: number) => Promise<SentWebhook>
}

const WITHIN_MS = 10_000
const KEPT_MAX = 10_000

/** Calls receivers on this machine. Others count as having answered 200, so that no data leaves this machine. */
export function sentWebhooks(real: Outbound, timers: Timers): SentWebhooks {
  const sent: SentWebhook[] = []
  const waiting = new Set<(webhook: SentWebhook) => void>()
  const keep = (webhook: SentWebhook): void => {
    const [first] = waiting
    if (first === undefined) {
      sent.push(webhook)
      if (sent.length > KEPT_MAX) sent.shift()
    } else {
      waiting.delete(first)
      first(webhook)
    }
  }
  return {
    outbound: {
      close: real.close,
      request: async (request) => {
        const { url, headers, body } = request
        const webhook = { url, headers, body: Buffer.from(body ?? []).toString('utf8') }
        try {
          const answer = await (isOfThisMachine(url) ? real.request(request) : OK)
          keep({ ...webhook, status: answer.status })
          return answer
        } catch (error) {
          keep({ ...webhook, failure: error instanceof Error ? error.message : String(error) })
          throw error
        }
      },
    },
    next: async (withinMs = WITHIN_MS) => {
      const earlier = sent.shift()
      if (earlier !== undefined) return earlier
      const { promise, resolve, reject } = Promise.withResolvers<SentWebhook>()
      waiting.add(resolve)
      const cancel = timers.after(withinMs, () => {
        waiting.delete(resolve)
        reject(noWebhook({ withinMs }))
      })
      return await promise.finally(cancel)
    },
  }
}

const OK = { status: 200, headers: {}, body: new Uint8Array() } as const

function isOfThisMachine(url: OutboundRequest['url']): boolean {
  const { hostname } = new URL(url)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    (hostname.startsWith('127.') && isIPv4(hostname))
  )
}
