import { FairLru, type Owner } from '../../base/fair-lru.ts'
import type { Ms } from '../../base/world.ts'
import type { Outdated } from '../../../protocol/vault.ts'
import { rootVersionOf } from '../keys/seal-text.ts'
import { UnknownRootVersion } from '../keys/unknown-root-version.ts'

/** The state of an object: each later state has a higher revision, and all seals are different. */
export type State = {
  readonly revision: number
  readonly seal: string
  /** The time from which it is no longer needed and may be missing; absent for a charter or a record, which stays. */
  readonly until?: Ms
}

/** The brought data is older than data that this vault has seen or written: the host must read it again. */
export class Older extends Error {
  override readonly name = 'Older'

  constructor(what: string) {
    super(`stored data is older than the vault has seen it: ${what}`)
  }
}

/** The answer to the host, which then reads the data again. Throws all other errors. */
export function outdated(error: unknown): Outdated {
  if (error instanceof Older || error instanceof UnknownRootVersion)
    return { kind: 'outdated', what: error.message }
  throw error
}

const LOOK_EVERY_MS = 60_000
/** Some 20 ms of the vault's thread. */
const FORGOTTEN_AT_ONCE_MAX = 20_000

/** Whose a state is, and when it is noted. */
type Noting = { readonly owner: Owner; readonly now: Ms }

/**
 * The newest known state of each object of one kind: shown to this vault, or reported as committed. Tenants share its
 * room fairly, so that none can make it forget the states of another one.
 */
export class RollbackGuard {
  readonly #what: string
  readonly #known: FairLru<State>
  #lookedAt: Ms = 0

  constructor(what: string, entriesMax: number) {
    this.#what = what
    this.#known = new FairLru(entriesMax)
  }

  /** Notes only states that this vault has sealed: an invented state would block the right one. */
  note(key: string, state: State, noting: Noting): void {
    const known = this.#current(key, noting.now)
    if (known === undefined || known.revision < state.revision) this.#remember(key, state, noting)
  }

  /**
   * @param brought  undefined when the object was not brought, or does not exist
   * @param fits     whether a seal is over the brought data; by default no seal is
   * @throws         Older
   */
  check(
    key: string,
    brought: Pick<State, 'revision' | 'seal'> | undefined,
    now: Ms,
    fits: (seal: string) => boolean = () => false,
  ): void {
    const known = this.#current(key, now)
    if (known === undefined) return
    const isOlder =
      brought === undefined ||
      brought.revision < known.revision ||
      (brought.revision === known.revision &&
        brought.seal !== known.seal &&
        !isResealed(brought, known, fits))
    if (isOlder) throw this.#older(key, brought === undefined ? 'nothing' : shown(brought), known)
  }

  /**
   * Checks a state whose seal was verified, and notes it: a later state, or the known one, possibly resealed since.
   *
   * @throws Older
   */
  see(key: string, state: State, noting: Noting, fits: (seal: string) => boolean): void {
    this.check(key, state, noting.now, fits)
    this.#remember(key, state, noting)
  }

  #remember(key: string, state: State, { owner, now }: Noting): void {
    if (!isNeeded(state, now)) return
    if (state.until !== undefined && this.#known.isFull) this.#forgetUnneeded(now)
    this.#known.set(key, state, owner)
  }

  /** All states are looked at for this, so it is done once a minute, or once the room that it made is full again. */
  #forgetUnneeded(now: Ms): void {
    // A clock that was set back must not end it.
    if (Math.abs(now - this.#lookedAt) < LOOK_EVERY_MS) return
    if (this.#known.deleteWhere((state) => !isNeeded(state, now), FORGOTTEN_AT_ONCE_MAX)) this.#lookedAt = now
  }

  /** The same, where only the revision of the brought data is known. */
  checkRevision(key: string, revision: number, now: Ms): void {
    const known = this.#current(key, now)
    if (known !== undefined && revision < known.revision) throw this.#older(key, String(revision), known)
  }

  /** Checks that data which was noted when brought is still the newest. Null: it was not brought. */
  checkSeal(key: string, seal: string | null, now: Ms): void {
    const known = this.#current(key, now)
    if (known !== undefined && seal !== known.seal) throw this.#older(key, seal ?? 'nothing', known)
  }

  knows(key: string, now: Ms): boolean {
    return this.#current(key, now) !== undefined
  }

  isNewest(key: string, seal: string, now: Ms): boolean {
    return this.#current(key, now)?.seal === seal
  }

  /** The tenant to which a known state belongs. */
  tenantOf(key: string): string | undefined {
    return this.#known.tenantOf(key)
  }

  #current(key: string, now: Ms): State | undefined {
    const known = this.#known.get(key)
    return known !== undefined && isNeeded(known, now) ? known : undefined
  }

  #older(key: string, brought: string, known: State): Older {
    return new Older(`${this.#what} ${key}: ${brought} instead of ${shown(known)}`)
  }
}

function isNeeded({ until }: State, now: Ms): boolean {
  return until === undefined || until > now
}

/**
 * Whether it is the same state under a newer version of the root key. A row that names an older version again was
 * rolled back.
 */
function isResealed(brought: Pick<State, 'seal'>, known: State, fits: (seal: string) => boolean): boolean {
  return (rootVersionOf(brought.seal) ?? 0) > (rootVersionOf(known.seal) ?? 0) && fits(known.seal)
}

function shown({ revision, seal }: Pick<State, 'revision' | 'seal'>): string {
  return `${revision} (${seal})`
}
