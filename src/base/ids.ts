import { toHex } from './bytes.ts'
import type { Ms, World } from './world.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Lowercase canonical text; the version is not checked. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** A UUID version 7 (RFC 9562, section 5.7): time ordered, so that index pages fill from one end. */
export function newId(world: World): string {
  return idAt(world.now(), world.randomBytes(10))
}

/** @param random 10 bytes; the version and variant bits of them are overwritten */
export function idAt(now: Ms, random: Uint8Array): string {
  const time = now.toString(16).padStart(12, '0')
  const tail = Uint8Array.from(random)
  tail[0] = ((tail[0] ?? 0) & 0x0f) | 0x70
  tail[2] = ((tail[2] ?? 0) & 0x3f) | 0x80
  const hex = time + toHex(tail)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
