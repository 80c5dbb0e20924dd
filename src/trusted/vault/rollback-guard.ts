import { Lru } from '../base/lru.ts'
import type { Ms } from '../base/world.ts'
import type { Outdated } from '../../protocol/vault.ts'
import { rootVersionOf } from './seal-text.ts'
import { UnheldVersion } from './unheld-version.ts'

/** Which state of a thing something is: each later one has a higher revision, and no two have the same seal. */
export type State = {
  readonly revision: number
  readonly seal: string
  /** From when on nobody depends on it any more, and it may be gone. */
  readonly until: Ms
}

export const FOR_EVER: Ms = Number.POSITIVE_INFINITY

/** What was brought is older than what this vault has seen or written: it has to be read again. */
export class Older extends Error {
  override readonly name = 'Older'

  constructor(what: string) {
    super(`stored data is older than the vault has seen it: ${what}`)
  }
}

/** The answer to the host, which then reads anew. Throws whatever else was thrown. */
export function outdated(error: unknown): Outdated {
  if (error instanceof Older || error instanceof UnheldVersion)
    return { kind: 'outdated', what: error.message }
  throw error
}

/** The newest state of each thing of one kind that this vault has been shown, or was told of as committed. */
export class RollbackGuard {
  readonly #what: string
  readonly #known: Lru<State>

  constructor(what: string, entriesMax: number) {
    this.#what = what
    this.#known = new Lru(entriesMax)
  }

  /** Only a state that this vault has sealed: one that has never been would keep the right one out. */
  note(key: string, state: State, now: Ms): void {
    const known = this.#current(key, now)
    if (state.until > now && (known === undefined || known.revision < state.revision))
      this.#known.set(key, state)
  }

  /**
   * @param brought  undefined when nothing was, as if it were not there
   * @param fits     whether a seal is over what was brought; none is, unless told
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
   * Checks a state whose seal was verified, and notes it: a later one, or the one that is known, which was resealed since.
   *
   * @throws Older
   */
  see(key: string, state: State, now: Ms, fits: (seal: string) => boolean): void {
    this.check(key, state, now, fits)
    const known = this.#current(key, now)
    if (state.until > now && known?.seal !== state.seal) this.#known.set(key, state)
  }

  /** The same, where only the revision of what was brought is known. */
  checkRevision(key: string, revision: number, now: Ms): void {
    const known = this.#current(key, now)
    if (known !== undefined && revision < known.revision) throw this.#older(key, String(revision), known)
  }

  /** The same for what was noted when it was brought: it is still the newest. Null: nothing was brought. */
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

  #current(key: string, now: Ms): State | undefined {
    const known = this.#known.get(key)
    return known === undefined || known.until <= now ? undefined : known
  }

  #older(key: string, brought: string, known: State): Older {
    return new Older(`${this.#what} ${key}: ${brought} instead of ${shown(known)}`)
  }
}

/** The same state under a newer version of the root key. The way back is none: a row that names an older version again was put back. */
function isResealed(brought: Pick<State, 'seal'>, known: State, fits: (seal: string) => boolean): boolean {
  return (rootVersionOf(brought.seal) ?? 0) > (rootVersionOf(known.seal) ?? 0) && fits(known.seal)
}

function shown({ revision, seal }: Pick<State, 'revision' | 'seal'>): string {
  return `${revision} (${seal})`
}
