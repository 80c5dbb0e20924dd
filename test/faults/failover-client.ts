import { type Connection, connect, type Entry } from '../crash/ledger.ts'

/** A client with the addresses of all hosts: it sends the very same bytes to the next one when there is no answer. */
type FailoverClient = Connection & {
  /** From now on, what is under way ends unanswered. */
  readonly stop: () => void
}

/** Like the time limit of a client that wants to be served by another host soon. */
const ANSWER_MS_MAX = 2_000
const PAUSE_MS = 40
const AGAIN_AFTER_MS = 100

/** @param onAnswer  of each request that was answered by a host for the first time */
export function failoverClient(
  hosts: readonly { readonly name: string; readonly url: () => string | undefined }[],
  onAnswer: (host: string) => void,
): FailoverClient {
  const connections = new Map<string, Connection>()
  let isStopped = false
  let turn = 0
  const to = (url: string): Connection => {
    const known = connections.get(url)
    if (known !== undefined) return known
    const made = connect(url, ANSWER_MS_MAX)
    connections.set(url, made)
    return made
  }
  const post = async (
    entry: Pick<Entry, 'kind' | 'path' | 'body' | 'stamp'>,
  ): Promise<string | undefined> => {
    for (let at = turn++; !isStopped; at++) {
      const host = hosts[at % hosts.length]
      const url = host?.url()
      const answer = url === undefined ? undefined : await to(url).post(entry)
      if (answer !== undefined) {
        onAnswer(host?.name ?? '')
        await pause(PAUSE_MS)
        return answer
      }
      await pause(AGAIN_AFTER_MS)
    }
    return undefined
  }
  return {
    post,
    close: () => {
      for (const connection of connections.values()) connection.close()
    },
    stop: () => {
      isStopped = true
    },
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}
