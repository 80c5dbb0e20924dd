import { Bug } from '../base/assert.ts'
import type { Failure } from '../base/failure.ts'
import { Secret } from '../base/secret.ts'
import type { Ms } from '../base/world.ts'

/**
 * A kind of thing that an organization may have any number of, and that therefore does not stand in its charter. Claims
 * and lookup keys are computed from the object itself, so that no index is ever an authority.
 */
export type ObjectKind<B> = {
  readonly kind: string
  /** Names that only one object of the organization may hold. */
  claims(body: B): readonly LookupKey[]
  /** Values by which the object is found. */
  entries(body: B): readonly LookupKey[]
  parse(body: string): B
  /** The failure for a claim that another object, the holder, already has. */
  taken(claim: LookupKey, holderId: string): Failure
  /**
   * `row`: replacing or removing an object depends on its own row alone, and leaves the charter as it is. Only for
   * objects that no other decision reads; the version of the charter guards all others.
   */
  readonly guardedBy?: 'row'
  /** The instant from which nobody will miss the object, and it may be swept away. */
  expiresAt?(body: B): Ms
}

type Declared<B> = Pick<ObjectKind<B>, 'kind' | 'guardedBy' | 'expiresAt'> &
  Partial<Pick<ObjectKind<B>, 'entries'>> &
  (Pick<ObjectKind<B>, 'claims' | 'taken'> | { readonly claims?: never; readonly taken?: never })

/** Without `claims` the objects claim no name, and without `entries` they are found by their ids alone. */
export function defineKind<B>(declared: Declared<B>): ObjectKind<B> {
  return {
    claims: () => [],
    entries: () => [],
    taken: () => {
      throw new Bug(`${declared.kind} claims no name`)
    },
    ...declared,
    // Only a body that the vault has sealed is parsed, and it sealed no other shape.
    parse: (body) => JSON.parse(body) as B,
  }
}

export type LookupKey = { readonly kind: string; readonly value: string }

/** An object whose seal the vault has verified. */
export type Opened<B> = {
  readonly objectId: string
  readonly kind: ObjectKind<B>
  readonly body: B
  /** The seal of the row as the host brought it. */
  readonly seal: string
  /** The sealed secret. The vault wipes it when the request is decided. */
  readonly secret: Secret
}

/** An object as an activity leaves it behind; the vault seals it. */
export type Placed = {
  readonly objectId: string
  readonly kind: string
  readonly body: string
  readonly claims: readonly LookupKey[]
  readonly entries: readonly LookupKey[]
  readonly secret: Secret
  readonly isRowGuarded: boolean
  readonly expiresAt: Ms | null
  readonly taken: (claim: LookupKey, holderId: string) => Failure
}

/** @param secret  none by default, which is sealed as no bytes */
export function place<B>(
  kind: ObjectKind<B>,
  objectId: string,
  body: B,
  secret = new Secret(new Uint8Array(0)),
): Placed {
  return {
    objectId,
    kind: kind.kind,
    body: JSON.stringify(body),
    claims: kind.claims(body),
    entries: kind.entries(body),
    secret,
    isRowGuarded: kind.guardedBy === 'row',
    expiresAt: kind.expiresAt?.(body) ?? null,
    taken: kind.taken,
  }
}

/** Rows that the host must bring before anything is decided. */
type Need<T> = ObjectsNeed<T> | TakenNeed

export type ObjectsNeed<B> = {
  readonly need: 'objects'
  readonly kind: ObjectKind<B>
  readonly by:
    | { readonly ids: readonly string[] }
    /** `enough`: no more than so many need be brought; all of them where it is absent. */
    | { readonly entries: readonly LookupKey[]; readonly enough?: number }
    | { readonly everything: true; readonly enough?: number }
    /** Objects that the rows of an earlier need of the same activity point to. */
    | { readonly following: string; idsIn(body: unknown): readonly string[] }
  /**
   * The vault's own check that a row it was brought is one that was asked for. `earlier`: the bodies of the need that
   * is followed.
   */
  answers(objectId: string, body: B, earlier: readonly unknown[]): boolean
}

/** Which of these names some object holds already. Only a hint: the store's unique index decides. */
export type TakenNeed = { readonly need: 'taken'; readonly names: readonly LookupKey[] }

export function isObjects(need: Need<unknown>): need is ObjectsNeed<unknown> {
  return need.need === 'objects'
}

export type Needs = { readonly [name: string]: Need<unknown> }

export type Gathered<N> = {
  readonly [K in keyof N]: N[K] extends ObjectsNeed<infer B>
    ? readonly Opened<B>[]
    : N[K] extends TakenNeed
      ? ReadonlySet<string>
      : readonly Opened<unknown>[] | ReadonlySet<string>
}

export function objectsById<B>(kind: ObjectKind<B>, ids: readonly string[]): ObjectsNeed<B> {
  const asked = new Set(ids)
  return { need: 'objects', kind, by: { ids }, answers: (objectId) => asked.has(objectId) }
}

/** Objects that are found under any of these entries. */
export function objectsFound<B>(
  kind: ObjectKind<B>,
  entries: readonly LookupKey[],
  bound: { readonly enough?: number } = {},
): ObjectsNeed<B> {
  return {
    need: 'objects',
    kind,
    by: { entries, ...bound },
    answers: (_, body) =>
      kind
        .entries(body)
        .some((entry) =>
          entries.some((wanted) => wanted.kind === entry.kind && wanted.value === entry.value),
        ),
  }
}

/** Objects that the objects of the need `of`, which stands before this one, point to. */
export function objectsFollowing<B, E>(
  of: string,
  kind: ObjectKind<B>,
  idsOf: (earlier: E) => readonly string[],
): ObjectsNeed<B> {
  // The need that is followed brings bodies of the kind that `idsOf` was written for.
  const idsIn = (body: unknown): readonly string[] => idsOf(body as E)
  return {
    need: 'objects',
    kind,
    by: { following: of, idsIn },
    answers: (objectId, _, earlier) => earlier.some((body) => idsIn(body).includes(objectId)),
  }
}

export function everyObject<B>(
  kind: ObjectKind<B>,
  bound: { readonly enough?: number } = {},
): ObjectsNeed<B> {
  return { need: 'objects', kind, by: { everything: true, ...bound }, answers: () => true }
}

export function takenNames(names: readonly LookupKey[]): TakenNeed {
  return { need: 'taken', names }
}
