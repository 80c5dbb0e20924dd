import { anything, oneOf, optional, type PlainOf, record, text, whole } from '../trusted/base/plain.ts'
import { METHODS } from './methods.ts'
import type { SettledUnits } from './vault.ts'

/**
 * The first message in each direction names it. Every change of the protocol increases it: ends with different versions
 * do not continue. Versions before 2 did not name it.
 */
export const PROTOCOL_VERSION = 14

export const greeting = record({ protocol: oneOf([PROTOCOL_VERSION]) })

/**
 * No two calls under way have the same id, so that a reply cannot be mistaken for that of another call. Each call
 * checks its own input.
 */
export const vaultCall = record({ id: whole(1), method: oneOf(METHODS), input: optional(anything) })

/** Precedes all calls that begin after units have been settled; it has no answer. */
export const settledNote = record({ settled: anything })
export type SettledNote = { readonly settled: SettledUnits }

export type VaultCall = PlainOf<typeof vaultCall>

const said = text(Number.MAX_SAFE_INTEGER)

/** The vault's description of itself after the start. */
export const readiness = record({ secp256k1: said })

/** The greeting of a vault, or the reason why it cannot start. */
export const vaultReady = record({ protocol: oneOf([PROTOCOL_VERSION]), ready: readiness })
export const vaultFailed = record({ protocol: oneOf([PROTOCOL_VERSION]), failed: said })

export const vaultOutput = record({ id: whole(1), output: anything })
/** The text of an unexpected exception: the host logs it and answers 500. */
export const vaultBug = record({ id: whole(1), bug: said })
/** The reason why a message was refused; without an id, the call could not be determined. */
export const vaultRefusal = record({ id: optional(whole(1)), refused: said })

export type VaultReady = PlainOf<typeof readiness>
export type VaultGreeting = PlainOf<typeof vaultReady> | PlainOf<typeof vaultFailed>
export type VaultRefusal = PlainOf<typeof vaultRefusal>
export type VaultReply = PlainOf<typeof vaultOutput> | PlainOf<typeof vaultBug> | VaultRefusal
