import { costs } from '../../trusted/base/costs.ts'
import { Pace, Work } from '../../trusted/base/work.ts'
import { LONG_BODY_BYTES } from '../pipeline/expect-stamp.ts'
import { networkOf } from './address-network.ts'

/** Resolves when a body of a client at this address may be read. */
export type BodyTurns = (body: Uint8Array, clientAddress: string) => Promise<void>

/**
 * Parsing a body of a megabyte blocks the thread for milliseconds, and many such bodies together would block it for the
 * sum. Therefore one long body is parsed in each turn of the event loop, in fair order by network.
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
