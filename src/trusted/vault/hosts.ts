import { settledUnits } from '../../protocol/calls.ts'
import type { HandingOut } from '../../protocol/methods.ts'
import type { SettledUnits, Vault } from '../../protocol/vault.ts'
import { readPlain } from '../base/plain.ts'
import { HANDED_OUT_MAX } from './memory/units-under-way.ts'

/** The vault as one host sees it, and the clean-up after the host has disconnected. */
type Joined = { readonly vault: Vault; readonly left: () => void }

/**
 * A host reports every unit, and has far fewer at once. All hosts together have fewer than the memory of the vault
 * holds: it forgets the oldest unit, whichever host it belongs to.
 */
export const UNITS_OF_HOSTS_MAX = HANDED_OUT_MAX / 2

/**
 * The hosts at one vault. They share its memory: once one of them has committed a state, none of them can use an older
 * one. Only the host that got a unit reports its outcome; after it disconnects, the outcome of its units is unknown.
 */
export class Hosts {
  readonly #vault: Vault
  readonly #unitsMax: number
  readonly #hosts = new Set<Set<number>>()
  #units = 0

  constructor(vault: Vault, unitsMax: number = UNITS_OF_HOSTS_MAX) {
    this.#vault = vault
    this.#unitsMax = unitsMax
  }

  join(): Joined {
    const own = new Set<number>()
    this.#hosts.add(own)
    return {
      vault: {
        ...this.#vault,
        ...this.#handingOutTo(own),
        settled: (sent) => {
          const { committed, dropped, unknown } = readPlain(settledUnits, sent, 'settled')
          this.#settle({
            committed: this.#taken(own, committed),
            dropped: this.#taken(own, dropped),
            unknown: this.#taken(own, unknown),
          })
        },
      },
      left: () => {
        this.#hosts.delete(own)
        this.#settle({ committed: [], dropped: [], unknown: this.#taken(own, [...own]) })
      },
    }
  }

  #handingOutTo(own: Set<number>): Pick<Vault, HandingOut> {
    return {
      decide: async (request) => {
        const decision = await this.#vault.decide(request)
        if (decision.kind === 'commit') this.#handedOut(own, decision.ticket)
        if (decision.kind !== 'underWay' || decision.ticket === undefined || own.has(decision.ticket))
          return decision
        // Only the other host could report when that unit has ended.
        return { kind: 'underWay', cost: decision.cost }
      },
      establish: async (request) => {
        const established = await this.#vault.establish(request)
        this.#handedOut(own, established.ticket)
        return established
      },
      heartbeat: async (request) => {
        const heartbeat = await this.#vault.heartbeat(request)
        if (heartbeat.kind === 'counted') this.#handedOut(own, heartbeat.ticket)
        return heartbeat
      },
    }
  }

  /** Removes and returns those of these tickets that belong to this host. */
  #taken(own: Set<number>, tickets: readonly number[]): number[] {
    const taken = tickets.filter((ticket) => own.delete(ticket))
    this.#units -= taken.length
    return taken
  }

  /** A decision that ends after its host has disconnected is treated as lost with it. */
  #handedOut(own: Set<number>, ticket: number): void {
    if (!this.#hosts.has(own)) return this.#settle({ committed: [], dropped: [], unknown: [ticket] })
    own.add(ticket)
    this.#units++
    if (this.#units > this.#unitsMax) this.#forgetOldestOf(this.#largest(own))
  }

  /** Units of the host with the most are dropped first: a host that never reports must not displace units of others. */
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
