import { toHex } from './bytes.ts'
import type { Ms, World } from './world.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Lowercase canonical text; the version is not checked. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** A UUID version 7 (RFC 9562, section 5.7): time ordered, so that index pages fill from one end. */
export function newId(world: World): string {
  return idAt(world.now(), world.randomBytes)
}

/** As `newId`, at a given instant. */
export function idAt(now: Ms, randomBytes: World['randomBytes']): string {
  return written(now, randomBytes(RANDOM_BYTES))
}

/**
 * Ascending ids of one instant, with a counter of 12 bits (RFC 9562, section 6.2, method 1) that starts at a random
 * value.
 */
export function idsAt(now: Ms, randomBytes: World['randomBytes']): () => string {
  let count: number | undefined
  return () => {
    const random = randomBytes(RANDOM_BYTES)
    count = count === undefined ? (((random[0] ?? 0) & 0x0f) << 8) | (random[1] ?? 0) : count + 1
    random[0] = (count >> 8) & 0x0f
    random[1] = count & 0xff
    return written(now + (count >> COUNTER_BITS), random)
  }
}

/** The least id of an instant: ids made then or later sort after it, ids made earlier sort before it. */
export function firstIdAt(now: Ms): string {
  const hex = now.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** Sorts behind every id that is made. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

function written(now: Ms, random: Uint8Array): string {
  random[0] = ((random[0] ?? 0) & 0x0f) | 0x70
  random[2] = ((random[2] ?? 0) & 0x3f) | 0x80
  const hex = now.toString(16).padStart(12, '0') + toHex(random)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const RANDOM_BYTES = 10
const COUNTER_BITS = 12
