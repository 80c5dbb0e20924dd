import { Agent, request as httpRequest } from 'node:http'
import type { Connection, Entry } from '../crash/ledger.ts'
import { isReady } from '../support/running-service.ts'

/** What stands in front of hosts: it sends to those that say that they are ready, in turn. */
type Balancer = Connection & {
  /** Asks this host too, from now on. */
  readonly add: (name: string, url: string) => void
  readonly remove: (name: string) => void
  /** How often each host has answered. */
  readonly answers: ReadonlyMap<string, number>
  /**
   * What clients should never see: no answer at all, or another one than a success and a 503 that says to send again.
   */
  readonly failures: readonly string[]
}

const LOOK_MS = 50
const PAUSE_MS = 200
const AGAIN_MS = 50

export function balancer(): Balancer {
  const hosts = new Map<string, { readonly url: string; isReady: boolean }>()
  const answers = new Map<string, number>()
  const failures: string[] = []
  const agent = new Agent({ keepAlive: true })
  let isClosed = false
  const look = async (): Promise<void> => {
    while (!isClosed) {
      await Promise.all(
        [...hosts.values()].map(async (host) => {
          host.isReady = await isReady(host.url)
        }),
      )
      await pause(LOOK_MS)
    }
  }
  void look()
  let turn = 0
  const next = async (): Promise<readonly [name: string, url: string] | undefined> => {
    while (!isClosed) {
      const ready = [...hosts].filter(([, { isReady: is }]) => is)
      const found = ready[turn++ % Math.max(1, ready.length)]
      if (found !== undefined) return [found[0], found[1].url]
      await pause(LOOK_MS)
    }
    return undefined
  }
  return {
    answers,
    failures,
    add: (name, url) => void hosts.set(name, { url, isReady: false }),
    remove: (name) => void hosts.delete(name),
    post: async (entry) => {
      for (;;) {
        const host = await next()
        if (host === undefined) return undefined
        const [name, url] = host
        const answer = await sent(agent, url, entry)
        if (answer.status === (entry.kind === 'try' ? 400 : 200)) {
          answers.set(name, (answers.get(name) ?? 0) + 1)
          await pause(PAUSE_MS)
          return answer.text
        }
        if (isClosed) return undefined
        if (answer.status !== 503 || !/may be sent again, byte for byte/.test(answer.text))
          failures.push(`${name} ${entry.path}: ${answer.status} ${answer.text}`)
        await pause(AGAIN_MS)
      }
    },
    close: () => {
      isClosed = true
      agent.destroy()
    },
  }
}

/** An answer of status 0 is none. */
function sent(
  agent: Agent,
  url: string,
  { path, body, stamp }: Pick<Entry, 'path' | 'body' | 'stamp'>,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve) => {
    const request = httpRequest(
      `${url}${path}`,
      { agent, method: 'POST', headers: { 'x-stamp': stamp, 'content-length': Buffer.byteLength(body) } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', (error) => resolve({ status: 0, text: error.message }))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        )
      },
    )
    request.on('error', (error) => resolve({ status: 0, text: error.message }))
    request.end(body)
  })
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}
