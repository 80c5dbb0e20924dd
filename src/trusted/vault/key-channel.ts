import type { Duplex } from 'node:stream'
import { isPlain, record, text } from '../base/plain.ts'
import { JsonLines } from '../base/json-lines.ts'
import type { Handed, OpenWith } from './unseal.ts'

/** As the host says it, after the last word of the process. */
const ended = record({ ended: text(200) })

/** A key for each of a thousand versions, and room for what surrounds them. */
export const HANDED_CHARACTERS_MAX = 200_000

/**
 * The vault's end of a socket that it asks on, and at whose other end the process of a seal writes. The host starts these processes, lends
 * them its end, and says when one has ended; what they write does not pass through it.
 *
 * @param openSocket  it is opened when it is first needed: a vault whose file is in the clear never opens it
 */
export function keyChannel(openSocket: () => Duplex): OpenWith {
  let socket: Duplex | undefined
  let take: (value: unknown) => void = () => {}
  const opened = (): Duplex => {
    const lines = new JsonLines(HANDED_CHARACTERS_MAX)
    const channel = openSocket()
    channel.setEncoding('utf8')
    channel.on('data', (chunk: string) => {
      for (const value of lines.push(chunk)) take(value)
    })
    return channel
  }
  return async (request) =>
    await new Promise<Handed>((resolve) => {
      let said: unknown
      take = (value) => {
        if (isPlain(ended, value)) resolve({ said, ended: value.ended })
        // What does not parse is no answer either.
        else said = value ?? null
      }
      socket ??= opened()
      socket.write(JsonLines.written({ open: request }))
    })
}
