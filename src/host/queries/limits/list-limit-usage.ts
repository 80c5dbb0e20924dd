import { costs } from '../../../trusted/base/costs.ts'
import type { Steps } from '../../../trusted/base/work.ts'
import { defineQuery, type Reader } from '../../../trusted/catalogue/query.ts'
import {
  label,
  list,
  named,
  object,
  oneOf,
  optional,
  organizationIdText,
  refined,
  text,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import { knownPolicy } from '../../../trusted/charter/policies.ts'
import { timestamp } from '../../../trusted/charter/view.ts'
import { slotsOf, type UsageMeter, usageMeters } from '../../../trusted/objects/usage-meter.ts'
import { releasesOf, usedWithin } from '../../../trusted/policy/usage-window.ts'
import { meterRowId } from '../../../trusted/vault/usage/usage.ts'
import { limitOf, limitText } from '../page.ts'
import { timestampShape } from '../shapes.ts'
import { limitsIn, type UsageLimit } from './limits-in.ts'

const BY_MAX = 10
const digits = text({ max: 100 })
const anyText = text({ max: 65_536 })
const meterId = refined(text({ max: 64 }), {
  problem: (value) => (/^[0-9a-f]{64}$/.test(value) ? undefined : 'must be 64 hexadecimal digits'),
  schema: { pattern: '^[0-9a-f]{64}$' },
})

const usageLimit = named(
  'UsageLimit',
  object({
    policyId: uuid,
    policyName: label,
    effect: oneOf(['EFFECT_ALLOW', 'EFFECT_DENY']),
    usage: anyText,
    windowMs: digits,
    countedBy: list(anyText, { max: BY_MAX }),
    most: digits,
  }),
)

const usageCount = named(
  'UsageCount',
  object({
    meterId,
    usage: anyText,
    windowMs: digits,
    countedBy: list(anyText, { max: BY_MAX }),
    used: digits,
    releases: list(object({ at: timestampShape, amount: digits }), { max: 100 }),
  }),
)

/**
 * The limits on usage in the policies, and the counts of their meters. Meters that no policy uses any more are left
 * out, so a page may have fewer entries than its limit although more pages follow.
 */
export const listLimitUsage = defineQuery({
  operation: 'list_limit_usage',
  ours: true,
  summary:
    'List the limits on usage in policies, their current usage, and the time at which usage becomes free again',
  request: object({
    organizationId: organizationIdText,
    policyId: optional(uuid),
    countedBy: optional(list(text({ max: 1_024 }), { max: BY_MAX })),
    limit: optional(limitText),
    after: optional(meterId),
  }),
  response: object({
    limits: list(usageLimit, { max: Number.MAX_SAFE_INTEGER }),
    counts: list(usageCount, { max: Number.MAX_SAFE_INTEGER }),
    next: optional(meterId),
  }),
  example: { limit: '10' },
  answer: async ({ policyId, countedBy, limit, after }, reader) => {
    const { charter } = reader
    const policies = policyId === undefined ? charter.policies : [knownPolicy(charter, policyId)]
    const limits = await reader.through(limitsOf(reader, policies))
    const asked = new Map(limits.map((one) => [one.key, one]))
    const max = limitOf(limit)
    const meters =
      countedBy === undefined
        ? await reader.objectsPage(usageMeters, { limit: max, ...(after === undefined ? {} : { after }) })
        : await metersCountedBy(reader, [...asked.values()], countedBy)
    const last = meters.at(-1)
    const isLast = last === undefined || countedBy !== undefined || meters.length < max
    return {
      limits: limits.map(limitView),
      counts: meters.flatMap((meter) => countView(meter, asked, reader)),
      ...(isLast ? {} : { next: meterRowId(charter.organizationId, last.key) }),
    }
  },
})

function* limitsOf(
  { charter }: Reader,
  policies: Reader['charter']['policies'],
): Steps<readonly UsageLimit[]> {
  const found: UsageLimit[] = []
  for (const policy of policies) {
    yield (policy.condition ?? '').length * costs.expressionCharacter
    found.push(...limitsIn(charter, policy))
  }
  return found
}

/** The meters of one account, one user, or another value by which limits count; each is found by its name. */
async function metersCountedBy(
  { charter, object: read }: Reader,
  limits: readonly UsageLimit[],
  countedBy: readonly string[],
): Promise<readonly UsageMeter[]> {
  const ids = limits
    .filter(({ by }) => by.length === countedBy.length)
    .map(({ key }) => meterRowId(charter.organizationId, JSON.stringify([key, ...countedBy])))
  const meters = await Promise.all(ids.map((id) => read(usageMeters, id)))
  return meters.filter((meter) => meter !== undefined)
}

function limitView({ policy, usage, windowMs, by, most }: UsageLimit) {
  const { policyId, policyName, effect } = policy
  return {
    policyId,
    policyName,
    effect,
    usage,
    windowMs: String(windowMs),
    countedBy: by,
    most: String(most),
  }
}

function countView(
  { key, windowMs, slots }: UsageMeter,
  asked: ReadonlyMap<string, UsageLimit>,
  { charter, now }: Reader,
) {
  // The vault wrote it: the key of the meter, and the strings by which it is counted.
  const [meter = '', ...countedBy] = JSON.parse(key) as readonly string[]
  const limit = asked.get(meter)
  if (limit === undefined) return []
  const opened = slotsOf(slots)
  return [
    {
      meterId: meterRowId(charter.organizationId, key),
      usage: limit.usage,
      windowMs: String(windowMs),
      countedBy,
      used: String(usedWithin(opened, windowMs, now)),
      releases: releasesOf(opened, windowMs, now).map(({ at, amount }) => ({
        at: timestamp(at),
        amount: String(amount),
      })),
    },
  ]
}
