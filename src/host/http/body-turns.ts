import { costs } from '../../trusted/base/costs.ts'
import { Pace, Work } from '../../trusted/base/work.ts'
import { LONG_BODY_BYTES } from '../pipeline/expect-stamp.ts'
import { networkOf } from './address-network.ts'

/** Resolves when a body of a client at this address may be read. */
export type BodyTurns = (body: Uint8Array, clientAddress: string) => Promise<void>

/**
 * A body of a megabyte holds the thread for milliseconds while it is read, and many that arrive together would hold it for as
 * long as all of them take. Long bodies are therefore read one in a turn of the event loop, and networks are taken in turn.
 *
 * @param turn  resolves in the next turn of the event loop
 */
export function bodyTurns(turn: () => Promise<void>): BodyTurns {
  const pace = new Pace(turn)
  return async ({ length }, clientAddress) => {
    if (length < LONG_BODY_BYTES) return
    const work = new Work(pace, networkOf(clientAddress))
    await work.pause()
    work.charge(length * costs.bodyCharacter)
  }
}
