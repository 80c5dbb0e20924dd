import type { Ms } from '../../base/world.ts'

/** A use of the shares of a recovery. `set` is the public key of the set, 33 bytes in hexadecimal. */
export type RecoveryEvent =
  | { readonly what: 'rehearsed'; readonly set: string; readonly at: Ms; readonly shares: readonly number[] }
  | { readonly what: 'used'; readonly set: string; readonly at: Ms }

/** The text that the root key proves about it: only a process that has opened the root key file can make the proof. */
export function recoveryText(event: RecoveryEvent): string {
  const text = `recovery ${event.set} ${event.what} at ${event.at}`
  return event.what === 'used' ? text : `${text} with shares ${event.shares.join(' ')}`
}

/** @returns  undefined for every other text that the root key may have proven */
export function readRecoveryText(text: string): RecoveryEvent | undefined {
  const [, set = '', what, at, shares] = WRITTEN.exec(text) ?? []
  if (what === 'used' && shares === undefined) return { what, set, at: Number(at) }
  if (what !== 'rehearsed' || shares === undefined) return undefined
  return { what, set, at: Number(at), shares: shares.split(' ').map(Number) }
}

const WRITTEN =
  /^recovery ([0-9a-f]{66}) (used|rehearsed) at (\d{1,15})(?: with shares (\d{1,2}(?: \d{1,2}){0,15}))?$/
