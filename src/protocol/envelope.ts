import { anything, oneOf, optional, type PlainOf, record, text, whole } from '../trusted/base/plain.ts'
import { METHODS } from './methods.ts'
import type { SettledUnits } from './vault.ts'

/**
 * The first message in either direction names it. Any change to what may be said counts it up: two ends that understand each
 * other only nearly do not go on. Versions before 2 named none.
 */
export const PROTOCOL_VERSION = 10

export const greeting = record({ protocol: oneOf([PROTOCOL_VERSION]) })

/** Ids count up, so that a reply can never be taken for that of another call. What a call is given is read by the call. */
export const vaultCall = record({ id: whole(1), method: oneOf(METHODS), input: optional(anything) })

/** Stands before the calls of a frame when units have been settled since the last, and is answered by nothing. */
export const settledNote = record({ settled: anything })
export type SettledNote = { readonly settled: SettledUnits }

export type VaultCall = PlainOf<typeof vaultCall>

const said = text(Number.MAX_SAFE_INTEGER)

/** What a vault says of itself when it has started. */
export const readiness = record({ secp256k1: said })

/** The greeting of a vault, or why it cannot start. */
export const vaultReady = record({ protocol: oneOf([PROTOCOL_VERSION]), ready: readiness })
export const vaultFailed = record({ protocol: oneOf([PROTOCOL_VERSION]), failed: said })

export const vaultOutput = record({ id: whole(1), output: anything })
/** The text of an exception that is no answer: the host logs it and answers 500. */
export const vaultBug = record({ id: whole(1), bug: said })
/** Why a message was not taken; without an id it could not be told which call it was. */
export const vaultRefusal = record({ id: optional(whole(1)), refused: said })

export type VaultReady = PlainOf<typeof readiness>
export type VaultGreeting = PlainOf<typeof vaultReady> | PlainOf<typeof vaultFailed>
export type VaultRefusal = PlainOf<typeof vaultRefusal>
export type VaultReply = PlainOf<typeof vaultOutput> | PlainOf<typeof vaultBug> | VaultRefusal
