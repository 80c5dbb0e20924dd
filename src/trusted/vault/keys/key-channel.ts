import type { Duplex } from 'node:stream'
import { isPlain, record, text } from '../../base/plain.ts'
import { JsonLines } from '../../base/json-lines.ts'
import type { Handed, OpenWith } from './unseal.ts'

/** The host's message after the last output of the process. */
const ended = record({ ended: text(200) })

/** Enough for a key for each of a thousand versions. */
export const HANDED_CHARACTERS_MAX = 200_000

/**
 * The vault's end of a socket on which it requests keys; the process of a seal writes at the other end. The host starts
 * these processes, lends them its end, and reports when one has ended; their output does not pass through the host.
 *
 * @param openSocket  called when first needed: a vault whose file is in the clear never calls it
 */
export function keyChannel(openSocket: () => Duplex): OpenWith {
  let socket: Duplex | undefined
  let said: unknown
  /** In the order of the requests: a host ends the process of one before it starts that of the next. */
  const waiting: ((handed: Handed) => void)[] = []
  const take = (value: unknown): void => {
    if (isPlain(ended, value)) {
      waiting.shift()?.({ said, ended: value.ended })
      said = undefined
    }
    // What does not parse is no answer either.
    else said = value ?? null
  }
  const opened = (): Duplex => {
    const lines = new JsonLines(HANDED_CHARACTERS_MAX)
    const channel = openSocket()
    channel.setEncoding('utf8')
    channel.on('data', (chunk: string) => {
      for (const value of lines.push(chunk)) take(value)
    })
    return channel
  }
  return async (request, letGo) => {
    socket ??= opened()
    const channel = socket
    const stop = (): void => void channel.write(JsonLines.written({ letGo: true }))
    letGo?.addEventListener('abort', stop, { once: true })
    const handed = await new Promise<Handed>((resolve) => {
      waiting.push(resolve)
      channel.write(JsonLines.written({ open: request }))
    })
    letGo?.removeEventListener('abort', stop)
    return handed
  }
}
