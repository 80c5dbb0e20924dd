import { settledUnits } from '../../protocol/calls.ts'
import type { SettledUnits, Vault } from '../../protocol/vault.ts'
import { readPlain } from '../base/plain.ts'

/** What one host has of the vault, and what is to be done when it is gone. */
type Joined = { readonly vault: Vault; readonly left: () => void }

/** A host tells of every unit, and has far fewer at once. */
const UNITS_MAX = 100_000

/**
 * The hosts at one vault. They share its memory: what one of them has committed, none of them can be shown in an older state. Only
 * who was handed a unit tells what became of it; a host that is gone tells no more, so that its units may be committed or not.
 */
export class Hosts {
  readonly #vault: Vault
  readonly #unitsMax: number
  readonly #hosts = new Set<Set<number>>()
  #units = 0

  constructor(vault: Vault, unitsMax: number = UNITS_MAX) {
    this.#vault = vault
    this.#unitsMax = unitsMax
  }

  join(): Joined {
    const own = new Set<number>()
    this.#hosts.add(own)
    return {
      vault: {
        ...this.#vault,
        settled: (sent) => {
          const { committed, dropped, unknown } = readPlain(settledUnits, sent, 'settled')
          this.#settle({
            committed: this.#taken(own, committed),
            dropped: this.#taken(own, dropped),
            unknown: this.#taken(own, unknown),
          })
        },
        decide: async (request) => {
          const decision = await this.#vault.decide(request)
          if (decision.kind === 'commit') this.#handedOut(own, decision.ticket)
          if (decision.kind !== 'underWay' || decision.ticket === undefined || own.has(decision.ticket))
            return decision
          // Nobody but the other host could tell when that unit has ended.
          return { kind: 'underWay', cost: decision.cost }
        },
        establish: async (request) => {
          const established = await this.#vault.establish(request)
          this.#handedOut(own, established.ticket)
          return established
        },
      },
      left: () => {
        this.#hosts.delete(own)
        this.#settle({ committed: [], dropped: [], unknown: this.#taken(own, [...own]) })
      },
    }
  }

  /** Those of these tickets that are its own, which it tells of no more. */
  #taken(own: Set<number>, tickets: readonly number[]): number[] {
    const taken = tickets.filter((ticket) => own.delete(ticket))
    this.#units -= taken.length
    return taken
  }

  /** A decision that ends after its host has gone is as if the host had gone with it. */
  #handedOut(own: Set<number>, ticket: number): void {
    if (!this.#hosts.has(own)) return this.#settle({ committed: [], dropped: [], unknown: [ticket] })
    own.add(ticket)
    this.#units++
    if (this.#units > this.#unitsMax) this.#forgetOldestOf(this.#largest(own))
  }

  /** Of the host that has most: one that never tells makes no other's unit be forgotten. */
  #largest(own: Set<number>): Set<number> {
    return [...this.#hosts].reduce((most, host) => (host.size > most.size ? host : most), own)
  }

  #forgetOldestOf(host: Set<number>): void {
    for (const oldest of host)
      return this.#settle({ committed: [], dropped: [], unknown: this.#taken(host, [oldest]) })
  }

  #settle(units: SettledUnits): void {
    this.#vault.settled(units)
  }
}
