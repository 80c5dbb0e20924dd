import { isDeepStrictEqual } from 'node:util'
import { present } from '../../base/assert.ts'
import { finished, type Steps } from '../../base/work.ts'
import { type Charter, featureOf, type Policy, type User } from '../../charter/charter.ts'
import { passkeyOrigins } from '../../charter/passkey-origins.ts'
import { policyDigest } from '../../charter/policy-text.ts'
import { controlsFor } from '../../charter/velocity-controls.ts'
import { userView } from '../../charter/view.ts'
import type { Expression } from '../../policy/expression.ts'
import { parseCondition } from '../../policy/condition.ts'
import { type CompiledPolicy, compileSteps } from '../../policy/compile-policy.ts'
import { distinctMeters, type Meter } from '../../policy/meters.ts'
import type { Approval } from '../../policy/people.ts'
import type { Facts, Vocabulary } from '../../policy/types.ts'
import { charterDigest } from '../seals/charter-digest.ts'
import { readLater } from './read-later.ts'
import { approvalOf, credentialsOf, type Holder, holdersOf, recoverySetHolder } from './holders.ts'

/**
 * A charter ready for decisions: members by credential, policies parsed, verification keys kept. Made once per version.
 */
export type CompiledCharter = {
  readonly charter: Charter
  readonly policies: readonly CompiledPolicy[]
  /** The same, for the signature of bytes that show nothing. */
  readonly opaquePolicies: readonly CompiledPolicy[]
  /** The meters of these policies, each once. */
  readonly meters: readonly Meter[]
  /** All users with all their credentials: the upper bound to test whether consensus is still reachable. */
  readonly everyone: readonly Approval[]
  /** By public key of an API key, or by the credential id of a passkey. */
  readonly holders: ReadonlyMap<string, Holder>
  /** The allowed origins of passkeys; undefined when the organization has set none. */
  readonly origins: readonly string[] | undefined
  /** The user as a vote shows them, as JSON. */
  readonly snapshot: (user: User) => string
  /** The condition of an MFA policy, read at its first use; undefined when it cannot be. */
  readonly mfaCondition: (text: string) => Expression | undefined
  /** The reference to it in records. */
  readonly pin: () => CharterPin
  /** Of the text of one of its policies. */
  readonly policyDigest: (policyId: string) => string
}

/** The reference to a charter in records. */
export type CharterPin = { readonly version: number; readonly digest: string }

export function compileAtOnce(charter: Charter, vocabulary: Vocabulary): CompiledCharter {
  return finished(compileCharter(charter, vocabulary))
}

/**
 * The same in steps.
 *
 * @param from.body     as it is stored; absent for one that never was, and that no record names
 * @param from.earlier  made of another version of the charter: what it has read already is not read again
 */
export function* compileCharter(
  charter: Charter,
  vocabulary: Vocabulary,
  { body, earlier }: { readonly body?: string; readonly earlier?: CompiledCharter | undefined } = {},
): Steps<CompiledCharter> {
  const snapshots = new Map<string, string>()
  const later = readLater(vocabulary)
  const policies = yield* compiledPolicies(charter, vocabulary, earlier)
  return {
    charter,
    policies,
    opaquePolicies: guarded(charter, policies),
    meters: distinctMeters(policies.flatMap(({ condition }) => condition?.meters ?? [])),
    everyone: charter.users.map((user) => approvalOf(user, credentialsOf(user))),
    // A user with the same key does not replace it: registering a key does not prove possession.
    holders: new Map([
      ...charter.users.flatMap((user) => holdersOf(user, later)),
      ...recoverySetHolder(charter),
    ]),
    origins: passkeyOrigins(charter),
    mfaCondition: later,
    snapshot: (user) => {
      const known = snapshots.get(user.userId) ?? JSON.stringify(userView(user))
      snapshots.set(user.userId, known)
      return known
    },
    ...pinsOf(charter, body),
  }
}

/** Each digest is made once, when the first record names it. */
function pinsOf(
  { version, policies }: Charter,
  stored: string | undefined,
): Pick<CompiledCharter, 'pin' | 'policyDigest'> {
  let body = stored
  let pinned: CharterPin | undefined
  const digests = new Map<string, string>()
  return {
    pin: () => {
      pinned ??= { version, digest: charterDigest(present(body, 'the text of a charter that is decided on')) }
      body = undefined
      return pinned
    },
    policyDigest: (policyId) => {
      const known =
        digests.get(policyId) ??
        policyDigest(
          present(
            policies.find((item) => item.policyId === policyId),
            'a policy that counted',
          ),
        )
      digests.set(policyId, known)
      return known
    },
  }
}

function* compiledPolicies(
  charter: Charter,
  vocabulary: Vocabulary,
  earlier: CompiledCharter | undefined,
): Steps<readonly CompiledPolicy[]> {
  // They are in the order of the charter that they were compiled from.
  const known = new Map(earlier?.charter.policies.map((terms, at) => [terms.policyId, { terms, at }]))
  const controls = controlsFor(charter)
  const hasSameControls = isDeepStrictEqual(earlier?.charter.velocityControls, charter.velocityControls)
  const compiled: CompiledPolicy[] = []
  for (const policy of charter.policies) {
    const before = known.get(policy.policyId)
    const isSame =
      before !== undefined &&
      hasSameTerms(before.terms, policy) &&
      (hasSameControls || policy.condition?.includes('controls') !== true)
    const same = isSame ? earlier?.policies[before.at] : undefined
    if (same !== undefined) {
      compiled.push(same)
      continue
    }
    compiled.push(yield* compileSteps(policy, vocabulary, controls))
  }
  return compiled
}

function hasSameTerms(item: Policy, other: Policy): boolean {
  return TERMS.every((term) => item[term] === other[term])
}

const TERMS = ['effect', 'condition', 'consensus', 'time'] as const

/**
 * Where the organization has set this, a policy allows raw signing only if it grants it by name
 * (docs/decisions/raw-signing.md).
 */
function guarded(charter: Charter, policies: readonly CompiledPolicy[]): readonly CompiledPolicy[] {
  if (featureOf(charter, 'FEATURE_NAME_RAW_SIGNING_GUARD') === undefined) return policies
  return policies.map((policy) =>
    policy.effect === 'EFFECT_DENY' || policy.condition?.grantsRaw === true
      ? policy
      : { ...policy, condition: NOT_GRANTED },
  )
}

/** The policies that decide a request. */
export function policiesFor(
  { policies, opaquePolicies }: Pick<CompiledCharter, 'policies' | 'opaquePolicies'>,
  { payload }: Facts,
): readonly CompiledPolicy[] {
  const isOpaque = typeof payload === 'object' && 'opaque' in payload && payload.opaque === true
  return isOpaque ? opaquePolicies : policies
}

/** Never true, and an explanation shows why. */
const NOT_GRANTED = parseCondition("'raw signing is not granted by name' == ''", {})
