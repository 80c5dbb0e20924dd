import { defineFailure, INVALID_ARGUMENT, NOT_FOUND, RESOURCE_EXHAUSTED } from '../base/failure.ts'
import type { Charter, IpAllowlist } from './charter.ts'
import { holds, plainAddress, readNetwork } from './cidr.ts'
import { limits, tooMany } from './limits.ts'

/**
 * Whether a credential of this organization may be used from there. The list of the credential itself goes before the
 * list of the organization, when it has rules; without a list that is switched on for the organization, every address
 * will do.
 *
 * @param publicKey  of an API key; undefined for any other credential
 * @param address    IPv4 or IPv6, as the socket or a trusted proxy tells it
 */
export function isAddressAllowed(
  { ipAllowlists }: Pick<Charter, 'ipAllowlists'>,
  publicKey: string | undefined,
  address: string,
): boolean {
  const general = ipAllowlists.find((list) => list.publicKey === undefined)
  if (general?.enabled !== true) return true
  const own = ipAllowlists.find((list) => list.publicKey !== undefined && list.publicKey === publicKey)
  const list = own !== undefined && own.enabled && own.rules.length > 0 ? own : general
  return allows(list, address)
}

function allows({ rules, onEvaluationError }: IpAllowlist, text: string): boolean {
  const address = plainAddress(text)
  if (address === undefined) return onEvaluationError === 'ALLOW'
  return rules.some(({ cidr }) => holds(cidr, address))
}

/** A socket that takes both families tells an IPv4 address in its IPv6 form (RFC 4291, 2.5.5.2). */
export function unmapped(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  return mapped?.[1] ?? address
}

export const IP_RULES_PER_FAMILY_MAX = 10

export const invalidIpRule = defineFailure<{
  readonly index: number
  readonly cidr: string
  readonly because: string
}>({
  kind: 'invalidIpRule',
  code: INVALID_ARGUMENT,
  say: ({ index, cidr, because }) =>
    `invalid IP allowlist rule ${index}: ${JSON.stringify(cidr.slice(0, 100))} ${because}`,
})

export const tooManyIpRules = defineFailure<{ readonly family: 4 | 6 }>({
  kind: 'tooManyIpRules',
  code: RESOURCE_EXHAUSTED,
  say: ({ family }) =>
    `IP allowlist has exceeded maximum IPv${family} rules: there may be ${IP_RULES_PER_FAMILY_MAX}`,
})

export const keyOfNobody = defineFailure<{ readonly publicKey: string; readonly organizationId: string }>({
  kind: 'keyOfNobody',
  code: NOT_FOUND,
  say: ({ publicKey, organizationId }) =>
    `unable to find API key ${publicKey.slice(0, 140)} of a user of organization ${organizationId}`,
})

type Rule = { readonly cidr: string; readonly label?: string }

/** The rules under their canonical names; of those that name the same network the first stays. */
export function normalizedRules(rules: readonly Rule[]): readonly Rule[] {
  const byCidr = new Map<string, Rule>()
  const counts = { 4: 0, 6: 0 }
  for (const [index, rule] of rules.entries()) {
    const network = readNetwork(rule.cidr)
    if (network.kind === 'refused') throw invalidIpRule({ index, cidr: rule.cidr, because: network.because })
    const { cidr, family } = network
    if (byCidr.has(cidr)) continue
    if (++counts[family] > IP_RULES_PER_FAMILY_MAX) throw tooManyIpRules({ family })
    byCidr.set(cidr, { ...rule, cidr })
  }
  return [...byCidr.values()]
}

/**
 * The charter with this list instead of the one of the same key, or of the organization. Lists of keys that are gone go
 * with it.
 */
export function withIpAllowlist(charter: Charter, list: IpAllowlist): Charter {
  const { publicKey } = list
  if (publicKey !== undefined && !keysOf(charter).has(publicKey))
    throw keyOfNobody({ publicKey, organizationId: charter.organizationId })
  const others = withoutListsOfNobody(withoutIpAllowlist(charter, publicKey)).ipAllowlists
  if (others.length + 1 > limits.ipAllowlists)
    throw tooMany({ what: 'IP allowlists', max: limits.ipAllowlists })
  return { ...charter, ipAllowlists: [...others, list] }
}

/** The charter without the lists of keys that are gone: they bind nobody, and say where their users were. */
export function withoutListsOfNobody(charter: Charter): Charter {
  const held = keysOf(charter)
  return {
    ...charter,
    ipAllowlists: charter.ipAllowlists.filter(
      ({ publicKey }) => publicKey === undefined || held.has(publicKey),
    ),
  }
}

/** Removing a list that is not set is no failure. */
export function withoutIpAllowlist(charter: Charter, publicKey: string | undefined): Charter {
  return {
    ...charter,
    ipAllowlists: charter.ipAllowlists.filter((ipAllowlist) => ipAllowlist.publicKey !== publicKey),
  }
}

function keysOf({ users }: Charter): ReadonlySet<string> {
  return new Set(users.flatMap(({ apiKeys }) => apiKeys.map(({ publicKey }) => publicKey)))
}
