import type { ActivityRow } from '../../src/trusted/catalogue/unit.ts'
import type { Charter } from '../../src/trusted/charter/charter.ts'
import { isFresh, type Vote, votesOf } from '../../src/trusted/vault/records/votes.ts'

/** The policies of the simulation, by name; their meaning is written out a second time below. */
export const policies = {
  'Two sign': {
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN'",
    consensus: 'approvers.count() >= 2',
  },
  'One makes keys': {
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'PRIVATE_KEY' && activity.action == 'CREATE'",
    consensus: 'approvers.count() >= 1',
  },
  'Three delete keys': {
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'PRIVATE_KEY' && activity.action == 'DELETE'",
    consensus: 'approvers.count() >= 3',
  },
  'Raw by name': {
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN' && payload.opaque",
    consensus: 'approvers.count() >= 2',
  },
  'One sends': {
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN' && eth.tx.chain_id == 1",
    consensus: 'approvers.count() >= 1',
  },
  'One makes wallets': {
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'WALLET' && activity.action == 'CREATE'",
    consensus: 'approvers.count() >= 1',
  },
  Frozen: { effect: 'EFFECT_DENY', condition: "activity.action == 'SIGN'", consensus: undefined },
} as const

export type PolicyName = keyof typeof policies

/**
 * Whether this activity may be carried out under this charter: root quorum, the policies above, or one's own
 * credentials. Read from the rules of the interface and not from the vault.
 */
export function mayBeCarriedOut(row: ActivityRow, charter: Charter): boolean {
  if (hasRootQuorum(row, charter)) return true
  const votes = votesOf(row.votes)
  // The intent, as the record holds it.
  const intent = JSON.parse(row.intent) as { readonly userId?: string }
  const approvers = approversOf(row, charter)
  const operation = row.type.replace(/^ACTIVITY_TYPE_/, '').replace(/_V\d+$/, '')
  const has = (name: PolicyName): boolean => charter.policies.some(({ policyName }) => policyName === name)
  const isOwn = votes.length === 1 && intent.userId === votes[0]?.userId && approvers.size === 1
  switch (operation) {
    case 'SIGN_RAW_PAYLOAD':
      return (
        (has('Raw by name') || (has('Two sign') && !isRawGuarded(charter))) &&
        !has('Frozen') &&
        approvers.size >= 2
      )
    case 'SIGN_TRANSACTION':
      return (has('One sends') || (has('Two sign') && approvers.size >= 2)) && !has('Frozen')
    case 'CREATE_WALLET':
    case 'CREATE_WALLET_ACCOUNTS':
      return has('One makes wallets')
    case 'CREATE_PRIVATE_KEYS':
      return has('One makes keys') && approvers.size >= 1
    case 'DELETE_PRIVATE_KEYS':
      return has('Three delete keys') && approvers.size >= 3
    case 'CREATE_API_KEYS':
    case 'DELETE_API_KEYS':
      return isOwn
    default:
      return false
  }
}

export function hasRootQuorum(row: ActivityRow, charter: Charter): boolean {
  const approvers = approversOf(row, charter)
  const { threshold, userIds } = charter.rootQuorum
  return userIds.filter((userId) => approvers.has(userId)).length >= threshold
}

function approversOf(row: ActivityRow, charter: Charter): ReadonlySet<string> {
  const counted = votesOf(row.votes).filter((vote) => counts(vote, charter, row.updatedAt))
  return new Set(counted.map(({ userId }) => userId))
}

function isRawGuarded({ features }: Charter): boolean {
  return features.some(({ name }) => name === RAW_GUARD)
}

export const RAW_GUARD = 'FEATURE_NAME_RAW_SIGNING_GUARD'

function counts(vote: Vote, charter: Charter, now: number): boolean {
  const user = charter.users.find(({ userId }) => userId === vote.userId)
  const holds = user?.apiKeys.some(({ publicKey }) => publicKey === vote.publicKey) ?? false
  return holds && vote.selection === 'VOTE_SELECTION_APPROVED' && isFresh(vote, now)
}

/** What no charter may ever be. */
export function wrongInCharter(charter: Charter): readonly string[] {
  const wrong: string[] = []
  const where = `charter ${charter.version} of ${charter.organizationName}`
  for (const user of charter.users) {
    const expiring = user.apiKeys.filter(({ expirationSeconds }) => expirationSeconds !== undefined).length
    if (user.apiKeys.length - expiring > 10)
      wrong.push(`${where}: ${user.userName} has too many long-lived keys`)
    if (expiring > 10) wrong.push(`${where}: ${user.userName} has too many expiring keys`)
    if (user.apiKeys.length === 0) wrong.push(`${where}: ${user.userName} has no way in`)
  }
  const keys = charter.users.flatMap(({ apiKeys }) => apiKeys.map(({ publicKey }) => publicKey))
  if (hasTwice(keys)) wrong.push(`${where}: a credential has two holders`)
  if (hasTwice(charter.users.map(({ userName }) => userName))) wrong.push(`${where}: two users have one name`)
  if (hasTwice(charter.policies.map(({ policyName }) => policyName)))
    wrong.push(`${where}: two policies have one name`)
  const { threshold, userIds } = charter.rootQuorum
  if (userIds.length < threshold || userIds.some((id) => !charter.users.some(({ userId }) => userId === id)))
    wrong.push(`${where}: its root quorum cannot be reached`)
  return wrong
}

export function hasTwice(values: readonly string[]): boolean {
  return new Set(values).size < values.length
}
