import { hash } from 'node:crypto'
import { jsonIn } from '../base/json-in.ts'
import {
  either,
  isPlain,
  list,
  type Plain,
  type PlainOf,
  record,
  text,
  textLike,
  whole,
} from '../base/plain.ts'
import { readP256Key } from '../crypto/p256.ts'
import { type Charter, featureOf } from './charter.ts'

// A feature holds the set of shares, and another one the attempt under way: docs/decisions/break-glass.md.

/** The set of shares with which k people may begin to add root users. Its value is a `RecoverySet` as JSON. */
export const RECOVERY_FEATURE = 'FEATURE_NAME_ORGANIZATION_RECOVERY'
/** The attempt under way, a `RecoveryAttempt` as JSON. The key of the set asks for it by a `RecoveryStep`. */
export const RECOVERY_ATTEMPT_FEATURE = 'FEATURE_NAME_ORGANIZATION_RECOVERY_ATTEMPT'

export const DELAY_HOURS_MIN = 72
const DELAY_HOURS_MAX = 720
/** The hours after its delay in which an attempt may be completed. */
const COMPLETE_WITHIN_HOURS = 168
const NEW_ROOT_USERS_MAX = 8
const SHARES_MAX = 16

const publicKey = checked(
  textLike(/^0[23][0-9a-f]{64}$/, 'a public key of P-256, 33 bytes in lowercase hexadecimal'),
  (hex) => (readP256Key(hex) === undefined ? ' is no point of P-256' : undefined),
)

const recoverySet = checked(
  record({
    /** Of the key that the shares restore: P-256, compressed. */
    publicKey,
    /** How many of how many people; for those who read it, since the vault sees no share. */
    threshold: whole(2),
    shares: whole(2),
    delayHours: whole(DELAY_HOURS_MIN),
  }),
  ({ threshold, shares, delayHours }) => {
    if (threshold > shares || shares > SHARES_MAX)
      return ` must have at most ${SHARES_MAX} shares, and a threshold of at most all of them`
    return delayHours > DELAY_HOURS_MAX
      ? `.delayHours must be at most ${DELAY_HOURS_MAX}, not ${delayHours}`
      : undefined
  },
)
type RecoverySet = PlainOf<typeof recoverySet>

/** Root users to be: by their names, and each with one API key of P-256. */
const users = checked(
  list(
    record({
      userName: textLike(/^(?=.*\S)[^\p{Cc}]{1,64}$/u, 'a name of at most 64 characters'),
      publicKey,
    }),
    NEW_ROOT_USERS_MAX,
  ),
  (given) => (given.length === 0 ? ' must name at least one user' : undefined),
)

const id = textLike(/^[0-9a-f-]{36}$/, 'the id of an attempt')

/** What the key of a set may ask for: to begin an attempt, or to complete the one of this id. */
const recoveryStep = either(record({ users }), record({ complete: id }))
type RecoveryStep = PlainOf<typeof recoveryStep>

/** The intent of `set_organization_feature`, in its newest form. */
const featureIntent = record({ name: text(256), value: text(65_536) })

const recoveryAttempt = record({
  attemptId: id,
  begunAt: whole(),
  users,
  /** The hours that vaults have counted so far. */
  heartbeats: whole(),
})
export type RecoveryAttempt = PlainOf<typeof recoveryAttempt>

/** The mistake in the value of `RECOVERY_FEATURE`. */
export function recoverySetProblem(value: string): string | undefined {
  return problemOf(recoverySet, value)
}

/** The mistake in what is asked of `RECOVERY_ATTEMPT_FEATURE`. */
export function recoveryStepProblem(value: string): string | undefined {
  return problemOf(recoveryStep, value)
}

/** The mistake in the users of a step that begins an attempt, by their place. */
export function newRootUsersProblem(value: string): string | undefined {
  return problemOf(record({ users }), value)
}

/** @param value  one in which `recoveryStepProblem` has found no mistake */
export function readRecoveryStep(value: string): RecoveryStep | undefined {
  return read(recoveryStep, value)
}

/**
 * The id of the attempt that an intent of `set_organization_feature` is to complete; undefined where it is to do
 * anything else.
 */
export function completedAttempt(intent: unknown): string | undefined {
  const step = isPlain(featureIntent, intent) ? readRecoveryStep(intent.value) : undefined
  return step !== undefined && 'complete' in step ? step.complete : undefined
}

export function recoverySetOf(charter: Charter): RecoverySet | undefined {
  return readFeature(recoverySet, charter, RECOVERY_FEATURE)
}

export function recoveryAttemptOf(charter: Charter): RecoveryAttempt | undefined {
  return readFeature(recoveryAttempt, charter, RECOVERY_ATTEMPT_FEATURE)
}

/** The charter with this attempt under way. */
export function withRecoveryAttempt(charter: Charter, attempt: RecoveryAttempt): Charter {
  const feature = { name: RECOVERY_ATTEMPT_FEATURE, value: JSON.stringify(attempt) }
  return { ...charter, features: [...withoutRecoveryAttempt(charter).features, feature] }
}

export function withoutRecoveryAttempt(charter: Charter): Charter {
  return { ...charter, features: charter.features.filter(({ name }) => name !== RECOVERY_ATTEMPT_FEATURE) }
}

/** Without the set, and so without an attempt that it has begun. */
export function withoutRecovery(charter: Charter): Charter {
  const { features, ...rest } = withoutRecoveryAttempt(charter)
  return { ...rest, features: features.filter(({ name }) => name !== RECOVERY_FEATURE) }
}

/** Public keys of P-256 in such a value, which nobody else of the organization may have or be able to sign with. */
export function keysOfRecovery(name: string, value: string): readonly string[] {
  if (name === RECOVERY_FEATURE) {
    const set = read(recoverySet, value)
    return set === undefined ? [] : [set.publicKey]
  }
  const step = name === RECOVERY_ATTEMPT_FEATURE ? readRecoveryStep(value) : undefined
  return step !== undefined && 'users' in step ? step.users.map((user) => user.publicKey) : []
}

/** Names and keys that are kept for an attempt under way: nobody else takes them meanwhile. */
export function keptForRecovery(charter: Charter): {
  readonly userNames: readonly string[]
  readonly publicKeys: readonly string[]
} {
  const set = recoverySetOf(charter)
  const coming = recoveryAttemptOf(charter)?.users ?? []
  return {
    userNames: coming.map(({ userName }) => userName),
    publicKeys: [...(set === undefined ? [] : [set.publicKey]), ...coming.map((user) => user.publicKey)],
  }
}

/** How records and votes name the people of a set: it follows from the key, and is the id of no user. */
export function recoverySetId(set: Pick<RecoverySet, 'publicKey'>): string {
  const hex = hash('sha256', `claviger recovery set ${set.publicKey}`)
  // RFC 9562, section 5.8: version 8, for ids that are made in another way.
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The hours that are still to be counted before the attempt may be completed. */
export function hoursLeft({ heartbeats }: RecoveryAttempt, { delayHours }: RecoverySet): number {
  return Math.max(0, delayHours - heartbeats)
}

/** The attempt after one hour more; undefined where the time to complete it is over. */
export function afterHeartbeat(
  attempt: RecoveryAttempt,
  { delayHours }: RecoverySet,
): RecoveryAttempt | undefined {
  const heartbeats = attempt.heartbeats + 1
  return heartbeats >= delayHours + COMPLETE_WITHIN_HOURS ? undefined : { ...attempt, heartbeats }
}

/** Every login asks, and nearly no organization has one: a text that is no JSON would cost an exception each time. */
function readFeature<T>(plain: Plain<T>, charter: Charter, name: string): T | undefined {
  const value = featureOf(charter, name)?.value
  return value === undefined ? undefined : read(plain, value)
}

function problemOf(plain: Plain<unknown>, value: string): string | undefined {
  const given = jsonIn(value)
  if (given === undefined) return 'it takes JSON'
  const problem = plain.problem(given)
  return problem === undefined ? undefined : `it${problem}`
}

function read<T>(plain: Plain<T>, value: string): T | undefined {
  const given = jsonIn(value)
  return isPlain(plain, given) ? given : undefined
}

function checked<T>(plain: Plain<T>, wrong: (value: T) => string | undefined): Plain<T> {
  return { problem: (value) => (isPlain(plain, value) ? wrong(value) : plain.problem(value)) }
}
