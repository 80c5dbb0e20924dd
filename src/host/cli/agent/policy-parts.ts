import { textIn } from './expression-text.ts'
import type { AgentIds } from './wanted-agent.ts'

/** A policy of an agent, and its plain sentence. */
export type AgentPolicy = {
  readonly policyName: string
  readonly effect: 'EFFECT_ALLOW' | 'EFFECT_DENY'
  readonly condition?: string
  readonly consensus?: string
  readonly sentence: string
}

/** Whether the agent is among the proposer and the voters, for a consensus. */
export function takesPart(userId: string): string {
  return `approvers.any(p, p.id == ${textIn(userId)})`
}

/**
 * For every other user's request the list is empty, and the expression over its items is not evaluated, so it cannot
 * fail.
 */
export function ofItsRequests(userId: string, expression: string): string {
  return `[usage.user].filter(u, u == ${textIn(userId)}).any(u, ${expression})`
}

/** The request is the agent's own, and of this kind. */
export function itsRequest({ userId }: AgentIds, kind: string, more: readonly string[]): readonly string[] {
  return [`usage.user == ${textIn(userId)}`, `activity.kind == ${textIn(kind)}`, ...more]
}

export function otherWallets({ userId, walletId }: AgentIds, or: string, and: string): AgentPolicy {
  return {
    policyName: 'no other wallet',
    effect: 'EFFECT_DENY',
    condition: ofItsRequests(userId, `wallet.id != ${textIn(walletId)}${or}`),
    sentence: `It signs with no wallet but its own (${walletId})${and}.`,
  }
}

export function otherKeys({ userId }: AgentIds): AgentPolicy {
  return {
    policyName: 'no private key',
    effect: 'EFFECT_DENY',
    condition: ofItsRequests(userId, "private_key.id != ''"),
    sentence: 'It signs with no private key outside its wallet.',
  }
}
