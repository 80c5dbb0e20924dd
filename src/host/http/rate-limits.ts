import { defineFailure, Failure, RESOURCE_EXHAUSTED } from '../../trusted/base/failure.ts'
import type { Units } from '../../trusted/base/work.ts'
import type { Ms } from '../../trusted/base/world.ts'
import { networkOf } from './address-network.ts'
import { type Rate, TokenBuckets } from './token-buckets.ts'

/** What is counted: requests from an address, calls of the auth proxy from one, what was done for two more, and messages. */
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

/** Names that a request is counted under once it is known to be theirs. */
export type Subjects = {
  readonly credential?: string
  readonly organization?: string
}

/** What one request sends. */
export type Messages = {
  /** In whose name it was asked for. */
  readonly asker: string
  /** As `mailboxOf` names them; one that gets two messages is there twice. */
  readonly mailboxes: readonly string[]
}

export type RateLimits = {
  /** Counts a request from this address. @throws TooManyRequests */
  readonly arrive: (kind: 'address' | 'proxy', clientAddress: string) => void
  /** Counts nothing: nobody has proven yet whose request it is. @throws TooManyRequests */
  readonly check: (subjects: Subjects) => void
  /** @param units  what has been done for it, in units of cost; as much as one request unless told */
  readonly charge: (subjects: Subjects, units?: Units) => void
  /**
   * Takes what these messages use up.
   *
   * @returns  what gives it back, for a request that sends nothing after all
   * @throws   TooManyRequests, and then nothing was taken
   */
  readonly write: (messages: Messages) => () => void
  /** What has been done for a request that arrived from here, beyond what one request may cost. */
  readonly chargeAddress: (clientAddress: string, units: Units) => void
}

/**
 * As much as the usual request costs, and then some: a signature is 500. What costs less counts as one request, what costs
 * more as several.
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

/** As any failure, with the limit that was met. */
export class TooManyRequests extends Failure {
  readonly limit: number

  constructor(limit: number) {
    const { kind, code, message, details, errorCode } = tooManyRequests()
    super(kind, code, message, details, errorCode)
    this.limit = limit
  }
}

/** Buckets of this process, filled by its clock; every host counts for itself. See docs/decisions/rate-limits.md. */
export function openRateLimits(parts: {
  readonly settings: RateLimitSettings
  readonly now: () => Ms
  readonly onLimited: (kind: LimitKind) => void
}): RateLimits {
  const { settings, now, onLimited } = parts
  const buckets = (kind: LimitKind, times = 1): TokenBuckets | undefined =>
    Number.isFinite(settings[kind]) ? new TokenBuckets(rateOf(kind, settings[kind] * times), now) : undefined
  const arriving = { address: buckets('address'), proxy: buckets('proxy') }
  const known = {
    credential: buckets('credential'),
    organization: buckets('organization'),
  }
  // One asker alone cannot use up what a mailbox takes: somebody else may want to log in by it.
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
    arrive: (kind, clientAddress) => {
      const place = networkOf(clientAddress)
      if (arriving[kind]?.has(place) === false) refuse(kind)
      arriving[kind]?.take(place)
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
    write: ({ asker, mailboxes }) => {
      const taken: (() => void)[] = []
      const giveBack = () => {
        for (const give of taken) give()
      }
      for (const mailbox of mailboxes) {
        for (const { buckets: counted, nameOf } of letters) {
          const name = nameOf(asker, mailbox)
          if (counted?.has(name) === false) {
            giveBack()
            refuse('contact')
          }
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
/** A page that loads, a batch that starts: five seconds' worth at once; the steps of a sign-up, made by hand, take more. */
const BURST_SECONDS = 5
const PROXY_BURST_SECONDS = 15

function rateOf(kind: LimitKind, amount: number): Rate {
  if (kind === 'contact') return { amount, periodMs: HOUR, burst: amount }
  const burst = amount * (kind === 'proxy' ? PROXY_BURST_SECONDS : BURST_SECONDS)
  return { amount, periodMs: SECOND, burst }
}
