import { costs } from '../../trusted/base/costs.ts'
import { Pace, type Units, Work } from '../../trusted/base/work.ts'
import { LONG_BODY_BYTES } from '../pipeline/expect-stamp.ts'
import { networkOf } from './address-network.ts'

export type BodyTurns = {
  /** After some bytes of a body: undefined, or resolves when the next ones may arrive. */
  readonly arrive: (bytes: number, network: string) => Promise<void> | undefined
  /** Resolves when a body of a client at this address may be parsed. */
  readonly parse: (body: Uint8Array, clientAddress: string) => Promise<void>
}

/** Several times what it takes to receive a byte, so that some 200 kB arrive in a turn. */
const ARRIVED_BYTE: Units = 0.02

/**
 * To receive and parse a body of a megabyte blocks the thread for milliseconds, and many such bodies together would
 * block it for the sum. A socket alone gives up to two megabytes in a turn of the event loop. Therefore some pieces of
 * bodies arrive in each turn, and one long body is parsed, in fair order by network.
 *
 * @param turn  resolves in the next turn of the event loop
 */
export function bodyTurns(turn: () => Promise<void>): BodyTurns {
  const pace = new Pace(turn)
  return {
    arrive: (bytes, network) => {
      const work = new Work(pace, network)
      work.charge(bytes * ARRIVED_BYTE)
      return work.pause()
    },
    parse: async ({ length }, clientAddress) => {
      if (length < LONG_BODY_BYTES) return
      const work = new Work(pace, networkOf(clientAddress))
      await work.pause()
      work.charge(length * costs.bodyCharacter)
    },
  }
}
