import { defineFailure, Failure, RESOURCE_EXHAUSTED } from '../../trusted/base/failure.ts'
import type { Units } from '../../trusted/base/work.ts'
import type { Ms, World } from '../../trusted/base/world.ts'
import { networkOf } from './address-network.ts'
import { type Rate, TokenBuckets } from './token-buckets.ts'

/**
 * The kinds of limits: requests from an address, calls of the auth proxy from an address, the cost for a credential and
 * for an organization, and messages to a contact.
 */
export const LIMIT_KINDS = ['address', 'proxy', 'credential', 'organization', 'contact'] as const
export type LimitKind = (typeof LIMIT_KINDS)[number]

/** Per second, and per hour for contacts; infinity is no limit. */
export type RateLimitSettings = Readonly<Record<LimitKind, number>>

export const rateLimitDefaults: RateLimitSettings = {
  address: 100,
  proxy: 2,
  credential: 60,
  organization: 200,
  contact: 10,
}

/** The subjects that a request is counted for after its stamp was verified. */
export type Subjects = {
  readonly credential?: string
  readonly organization?: string
}

/** What one request sends. */
export type Messages = {
  /** The asker of the messages. */
  readonly asker: string
  /** As `mailboxOf` names them; one that gets two messages is there twice. */
  readonly mailboxes: readonly string[]
  /** They count as far as there is room, and are never too many. */
  readonly inAnyCase?: boolean
}

export type RateLimits = {
  /**
   * Counts a request from this address.
   *
   * @param units  what is known of its cost; by default that of one request
   * @throws TooManyRequests
   */
  readonly arrive: (kind: 'address' | 'proxy', clientAddress: string, units?: Units) => void
  /** Checks without counting, because the stamp is not verified yet. @throws TooManyRequests */
  readonly check: (subjects: Subjects) => void
  /** @param units  the cost of the work; by default that of one request */
  readonly charge: (subjects: Subjects, units?: Units) => void
  /**
   * Takes what these messages use up.
   *
   * @returns  a function that gives it back, for a request that sends nothing
   * @throws   TooManyRequests, and then nothing was taken
   */
  readonly write: (messages: Messages) => () => void
  /** Charges the cost of a request from this address beyond that of one request. */
  readonly chargeAddress: (clientAddress: string, units: Units) => void
}

/**
 * Somewhat above the cost of a usual request: a signature is 500. A cheaper request counts as one, a more expensive one
 * as several.
 */
export const UNITS_PER_REQUEST: Units = 1_000

function requestsFor(units: Units): number {
  return Math.max(1, units / UNITS_PER_REQUEST)
}

const tooManyRequests = defineFailure({
  kind: 'tooManyRequests',
  code: RESOURCE_EXHAUSTED,
  errorCode: 'RATE_LIMIT_EXCEEDED',
  say: () => 'Too many requests. Please wait and try again in a few seconds',
})

/** A failure with the limit that was reached. */
export class TooManyRequests extends Failure {
  readonly limit: number

  constructor(limit: number) {
    const { kind, code, message, details, errorCode } = tooManyRequests()
    super(kind, code, message, details, errorCode)
    this.limit = limit
  }
}

/**
 * Buckets of this process, filled by the time that passes; every host counts for itself. See
 * docs/decisions/rate-limits.md.
 */
export function openRateLimits(parts: {
  readonly settings: RateLimitSettings
  readonly world: Pick<World, 'elapsed'>
  readonly onLimited: (kind: LimitKind) => void
}): RateLimits {
  const { settings, world, onLimited } = parts
  const buckets = (kind: LimitKind, times = 1): TokenBuckets | undefined =>
    Number.isFinite(settings[kind])
      ? new TokenBuckets(rateOf(kind, settings[kind] * times), world)
      : undefined
  const arriving = { address: buckets('address'), proxy: buckets('proxy') }
  const known = {
    credential: buckets('credential'),
    organization: buckets('organization'),
  }
  // A single asker cannot use up the limit of a mailbox, because its owner may want to log in with it.
  const letters = [
    { buckets: buckets('contact'), nameOf: (asker: string, mailbox: string) => `${asker}\n${mailbox}` },
    {
      buckets: buckets('contact', ASKERS_OF_MAILBOX),
      nameOf: (_: string, mailbox: string) => mailbox,
    },
  ]
  const refuse = (kind: LimitKind): never => {
    onLimited(kind)
    throw new TooManyRequests(settings[kind])
  }
  return {
    arrive: (kind, clientAddress, units = 0) => {
      const place = networkOf(clientAddress)
      if (arriving[kind]?.has(place) === false) refuse(kind)
      arriving[kind]?.take(place, requestsFor(units))
    },
    check: (subjects) => {
      for (const kind of SUBJECT_KINDS) {
        const name = subjects[kind]
        if (name !== undefined && known[kind]?.has(name) === false) refuse(kind)
      }
    },
    charge: (subjects, units = 0) => {
      for (const kind of SUBJECT_KINDS) {
        const name = subjects[kind]
        if (name !== undefined) known[kind]?.take(name, requestsFor(units))
      }
    },
    write: ({ asker, mailboxes, inAnyCase = false }) => {
      const taken: (() => void)[] = []
      const giveBack = () => {
        for (const give of taken) give()
      }
      for (const mailbox of mailboxes) {
        const named = letters.map(({ buckets: counted, nameOf }) => ({
          counted,
          name: nameOf(asker, mailbox),
        }))
        const hasRoom = named.every(({ counted, name }) => counted?.has(name) !== false)
        if (!hasRoom && !inAnyCase) {
          giveBack()
          refuse('contact')
        }
        // What nobody is refused takes what there is. By a debt of the mailbox one asker would keep the mails of all
        // others from it.
        if (!hasRoom) continue
        for (const { counted, name } of named) {
          counted?.take(name)
          taken.push(() => counted?.give(name))
        }
      }
      return giveBack
    },
    chargeAddress: (clientAddress, units) => {
      const more = requestsFor(units) - 1
      if (more > 0) arriving.address?.take(networkOf(clientAddress), more)
    },
  }
}

const SUBJECT_KINDS = ['credential', 'organization'] as const

/** So many askers can use up their whole share of one mailbox. */
const ASKERS_OF_MAILBOX = 2

const SECOND: Ms = 1000
const HOUR: Ms = 3_600_000
/**
 * A page that loads, a batch that starts: five seconds' worth at once; the steps of a sign-up, made by hand, take more.
 */
const BURST_SECONDS = 5
const PROXY_BURST_SECONDS = 15

/** Of messages to one mailbox or number. */
export function contactRate(amount: number): Rate {
  return { amount, periodMs: HOUR, burst: amount }
}

function rateOf(kind: LimitKind, amount: number): Rate {
  if (kind === 'contact') return contactRate(amount)
  const burst = amount * (kind === 'proxy' ? PROXY_BURST_SECONDS : BURST_SECONDS)
  return { amount, periodMs: SECOND, burst }
}
