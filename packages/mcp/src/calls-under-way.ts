import { randomUUID } from 'node:crypto'
import * as z from 'zod'

/** One request over HTTP, for as long as it is being answered. */
type Held = {
  /** For the header `mcp-session-id` of the answer. */
  readonly newSession: string | undefined
  readonly release: () => void
}

type Asked = {
  readonly session: string | undefined
  readonly body: unknown
  readonly gone: AbortController
}

/**
 * The calls that are being answered, so that a message can take one of them back.
 *
 * Before the protocol of 2026-07-28 a host takes a call back with a message of its own, which comes in a request of its
 * own. Hosts number their calls alike, so a call is known by its number and by the session in which it was made. A
 * session is a name and nothing else: there is nothing to keep of it, and a host that sends none is served as well.
 */
export function callsUnderWay(): (asked: Asked) => Held {
  const underWay = new Map<string, AbortController>()
  return ({ session, body, gone }) => {
    const messages = (Array.isArray(body) ? body : [body]).flatMap(
      (message) => messageShape.safeParse(message).data ?? [],
    )
    const keyOf = (id: string | number) => JSON.stringify([session, id])
    const own: string[] = []
    for (const { method, id, params } of messages) {
      if (session === undefined) continue
      if (method === 'notifications/cancelled' && params.requestId !== undefined)
        underWay.get(keyOf(params.requestId))?.abort()
      else if (id !== undefined) own.push(keyOf(id))
    }
    for (const key of own) underWay.set(key, gone)
    return {
      newSession: messages.some(({ method }) => method === 'initialize') ? randomUUID() : undefined,
      release: () => {
        for (const key of own) if (underWay.get(key) === gone) underWay.delete(key)
      },
    }
  }
}

const idShape = z.union([z.string(), z.number()]).optional().catch(undefined)

const messageShape = z.object({
  method: z.string(),
  id: idShape,
  params: z.object({ requestId: idShape }).catch({ requestId: undefined }),
})
