import { randomBytes } from 'node:crypto'
import type { World } from './world.ts'

/** The clock of the machine and the randomness of OpenSSL. */
export const realWorld: World = {
  now: () => Date.now(),
  randomBytes: (length) => randomBytes(length),
}
