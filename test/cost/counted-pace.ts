import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { Pace, type Units } from '../../src/trusted/base/work.ts'

/** The most that was done in one turn of the event loop since `begin`. */
type Held = {
  /** As it was announced. */
  readonly units: Units
  /** Calls of the cryptography of Node.js, whatever was announced for them. */
  readonly calls: number
}

/**
 * A pace that counts what is done between two turns, and with it, apart from what is announced, how often keys are
 * used.
 */
export function countedPace(): {
  readonly pace: Pace
  readonly begin: () => void
  readonly most: () => Held
} {
  let now = { units: 0, calls: 0 }
  let most = { units: 0, calls: 0 }
  const end = (): void => {
    most = { units: Math.max(most.units, now.units), calls: Math.max(most.calls, now.calls) }
    now = { units: 0, calls: 0 }
  }
  class Counted extends Pace {
    override add(flow: string, units: Units): void {
      now.units += units
      super.add(flow, units)
    }
  }
  countCalls(() => now.calls++)
  return {
    pace: new Counted(async () => end()),
    begin: () => {
      end()
      most = { units: 0, calls: 0 }
    },
    most: () => {
      end()
      return most
    },
  }
}

const COUNTED = ['createHmac', 'createCipheriv', 'createDecipheriv', 'hash', 'sign', 'verify'] as const

/** From here on, in this process: modules see what stands in `node:crypto` now. */
function countCalls(onCall: () => void): void {
  for (const name of COUNTED) {
    const original: (...given: never[]) => unknown = crypto[name]
    Object.assign(crypto, {
      [name]: (...given: never[]): unknown => {
        onCall()
        return original(...given)
      },
    })
  }
  syncBuiltinESMExports()
}
