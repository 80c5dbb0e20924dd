import { FairTurns } from '../../trusted/base/fair-turns.ts'
import { fromUtf8 } from '../../trusted/base/bytes.ts'
import { Lru } from '../../trusted/base/lru.ts'
import { isJsonObject } from '../../trusted/base/strict-json.ts'
import type { Ms, World } from '../../trusted/base/world.ts'
import type { Outbound } from './outbound.ts'
import { OutboundError } from './outbound-error.ts'
import { jsonAnswer } from './json-answer.ts'

export type IssuerKeys = {
  /**
   * The key set of an issuer, as its JSON text, the way the issuer sent it.
   *
   * @param wanted.kid    the key that a token names; when it is not known, the keys are asked for again, not at once
   * @param wanted.asker  the tenant in whose turn a new issuer is asked
   * @throws OutboundError, also when what the issuer says is not what OpenID Connect Discovery asks for
   */
  readonly get: (
    issuer: string,
    wanted?: { readonly kid?: string; readonly asker?: string },
  ) => Promise<string>
}

/** All in milliseconds. */
const FRESH_MS = 10 * 60_000
/** How long after that keys are still used while the issuer does not answer. */
const STALE_MS = 60 * 60_000
/**
 * Between two attempts for the sake of an unknown key, or with an issuer that has failed while its keys are at hand.
 */
const PAUSE_MS = 30_000
/** The pause after a failure of an issuer without cached keys. */
const FAILED_MS = 5_000

const TIMEOUT_MS = 5_000
const ANSWER_BYTES_MAX = 256 * 1024
const CACHE_WEIGHT_MAX = 16 * 1024 * 1024
const ENTRY_WEIGHT = 4 * 1024
/** Issuers without keys are known apart: a person can invent any number of them, which must not displace keys. */
const FAILED_MAX = 4_096

/**
 * Issuers that have not answered before, and as many that have. Each holds a connection until it answers, or for twice
 * `TIMEOUT_MS`.
 */
const AT_ONCE_MAX = 64
/** The longest wait of an issuer for the others. */
const PATIENCE_MS = 5_000
/** A forgotten tenant begins anew. */
const ASKERS_MAX = 10_000

/** The cached state of an issuer: its keys, or the reason why there are none. Replaced as a whole. */
type Known = {
  readonly triedAt: Ms
  readonly failure?: OutboundError
  readonly keys?: { readonly text: string; readonly kids: ReadonlySet<string>; readonly fetchedAt: Ms }
}

/**
 * Keys of OpenID Connect issuers by discovery, kept for a while. They are bounded by what they weigh: some 4,000
 * issuers of the usual size. Calls of one tenant that need the same answer share one fetch. Issuers wait for one
 * another: a person can invent any number of them that never answer, or that answer once, and each would hold a
 * connection. Those that have answered do not wait for those that never have, and after too long a wait their cached
 * keys serve. The tenants take turns, and within one the hosts of its issuers. Times are of the clock that cannot be
 * set: a clock that was set back would make keys younger, and the pause after a failure longer.
 *
 * @see OpenID Connect Discovery 1.0, section 4
 */
export function openIssuerKeys(parts: {
  readonly outbound: Outbound
  readonly elapsed: World['elapsed']
}): IssuerKeys {
  const knownByIssuer = new Lru<Known>(
    CACHE_WEIGHT_MAX,
    ({ keys }) => ENTRY_WEIGHT + 2 * (keys?.text.length ?? 0),
  )
  const failedByIssuer = new Lru<Known>(FAILED_MAX)
  const underWay = new Map<string, Promise<Known>>()

  const inTurn = { new: turnsOfTenants(), known: turnsOfTenants() }

  const asked = async (issuer: string, asker: string, before: Known | undefined): Promise<Known> => {
    const triedAt = parts.elapsed()
    try {
      const fetched = async (): Promise<string> => {
        if (parts.elapsed() - triedAt > PATIENCE_MS)
          throw new OutboundError('timeout', 'too many other issuers did not answer')
        return await fetchKeys(parts.outbound, issuer)
      }
      const text = await inTurn[before?.keys === undefined ? 'new' : 'known'](issuer, asker, fetched)
      return { triedAt, keys: { text, kids: kidsOf(text), fetchedAt: triedAt } }
    } catch (failure) {
      if (!(failure instanceof OutboundError)) throw failure
      return { triedAt, failure, ...(before?.keys === undefined ? {} : { keys: before.keys }) }
    }
  }
  const ask = (issuer: string, asker: string, before: Known | undefined): Promise<Known> => {
    // Another tenant may have asked first, and may wait behind many issuers of its own.
    const name = JSON.stringify([asker, issuer])
    const already = underWay.get(name)
    if (already !== undefined) return already
    const answer = asked(issuer, asker, before)
      .then((known) => {
        if (known.keys === undefined) failedByIssuer.set(issuer, known)
        else knownByIssuer.set(issuer, known)
        return known
      })
      .finally(() => underWay.delete(name))
    underWay.set(name, answer)
    return answer
  }
  return {
    get: async (issuer, { kid, asker = '' } = {}) => {
      const before = knownByIssuer.get(issuer) ?? failedByIssuer.get(issuer)
      const known =
        before !== undefined && isEnough(before, kid, parts.elapsed())
          ? before
          : await ask(issuer, asker, before)
      const { keys, failure } = known
      if (keys !== undefined && parts.elapsed() - keys.fetchedAt < FRESH_MS + STALE_MS) return keys.text
      throw failure ?? new OutboundError('unreachable', 'the keys of the issuer are too old')
    },
  }
}

function turnsOfTenants() {
  const ofAll = new FairTurns(AT_ONCE_MAX)
  const ofOne = new Lru<FairTurns>(ASKERS_MAX)
  return (issuer: string, asker: string, fetched: () => Promise<string>): Promise<string> => {
    const own = ofOne.get(asker) ?? new FairTurns(AT_ONCE_MAX)
    ofOne.set(asker, own)
    return own.run({ flow: hostOf(issuer), cost: 1 }, () => ofAll.run({ flow: asker, cost: 1 }, fetched))
  }
}

function isEnough({ triedAt, failure, keys }: Known, kid: string | undefined, now: Ms): boolean {
  const sinceTried = now - triedAt
  if (keys === undefined) return sinceTried < FAILED_MS
  const isFresh = now - keys.fetchedAt < FRESH_MS
  if (isFresh && (kid === undefined || keys.kids.has(kid))) return true
  return (isFresh || failure !== undefined) && sinceTried < PAUSE_MS
}

function hostOf(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).host : issuer
}

async function fetchKeys(outbound: Outbound, issuer: string): Promise<string> {
  // Section 4.1: a slash at the end goes before the well-known path is appended; no query, no fragment.
  if (/[?#]/.test(issuer))
    throw new OutboundError('refusedTarget', 'an issuer has neither query nor fragment')
  const discovered = jsonAnswer(
    await document(outbound, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`),
  )
  // Section 4.3: must be exactly the same, or one issuer could speak for another.
  if (discovered['issuer'] !== issuer)
    throw new OutboundError('badResponse', 'the discovery document is of another issuer')
  const keysUrl = discovered['jwks_uri']
  if (typeof keysUrl !== 'string')
    throw new OutboundError('badResponse', 'the discovery document names no keys')
  const body = await document(outbound, keysUrl)
  if (!Array.isArray(jsonAnswer(body)['keys']))
    throw new OutboundError('badResponse', 'the key set has no keys')
  return fromUtf8(body) ?? ''
}

async function document(outbound: Outbound, url: string): Promise<Uint8Array> {
  const { status, body } = await outbound.request({
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    responseBytesMax: ANSWER_BYTES_MAX,
  })
  if (status !== 200) throw new OutboundError('badResponse', `the issuer answered ${status}`)
  return body
}

function kidsOf(text: string): ReadonlySet<string> {
  const { keys } = jsonAnswer(Buffer.from(text))
  const kids = Array.isArray(keys) ? keys.map((key) => (isJsonObject(key) ? key['kid'] : undefined)) : []
  return new Set(kids.filter((kid) => typeof kid === 'string'))
}
