import { agentSentences, denialsFirst } from './agent-sentences.ts'
import { policyText } from './agent-text.ts'
import { endOf } from './key-end.ts'
import { printable } from '../policies/printable.ts'
import { limitsLeft } from './limits-left.ts'
import { locatedAgent, type LocatedAgent, pausedBy } from './located.ts'
import { NO_KEY } from './make-user.ts'
import { policiesBeside } from './policies-beside.ts'
import type { Terminal } from './terminal.ts'
import type { ExitCode } from '../exit-codes.ts'

/** `claviger agent show`: the permitted actions, in words and as policies, and the rest of the limits. */
export async function showAgent(
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode<'agent show'>> {
  const agent = await locatedAgent(args, terminal)
  const { name, policies, organization, user } = agent
  const left =
    user === undefined ? [] : await limitsLeft(organization.caller, { userId: user.userId, policies })
  const beside = user === undefined ? [] : policiesBeside(organization.policies, { name, ...user })
  const state = stateOf(agent, terminal.now())
  const sentences = agentSentences(policies)
  terminal.tell({ name, state, sentences, left, beside, policies: [...policies].sort(denialsFirst) })
  const lines = [
    `agent ${name}: ${state}`,
    ...sentences,
    ...(left.length === 0 ? [] : ['Left of its limits now:', ...left.map((line) => `  - ${line}`)]),
    ...(beside.length === 0
      ? []
      : ['Other ALLOW policies that count it too:', ...beside.map((other) => `  - ${printable(other)}`)]),
    '',
    ...[...policies].sort(denialsFirst).flatMap(policyText),
  ]
  terminal.write(`${lines.join('\n')}\n`)
  return 0
}

/** A short text: whether the agent can make requests now. */
export function stateOf(agent: LocatedAgent, now: number): string {
  const { user, organization, policies } = agent
  if (user === undefined) return 'revoked; its policies are still there'
  if (organization.quorum.userIds.includes(user.userId))
    return 'DANGER: it is in the root quorum, which no policy binds'
  if (policies.length === 0) return 'not ready: it has no policies'
  const keys = user.apiKeys.filter(({ apiKeyName }) => apiKeyName !== NO_KEY)
  const live = keys.filter((key) => endOf(key) > now)
  if (live.length === 0) return keys.length === 0 ? 'not ready: it has no key' : 'its key has expired'
  if (pausedBy(agent) !== undefined) return 'paused'
  const end = Math.max(...live.map(endOf))
  return end === Number.POSITIVE_INFINITY ? 'ready' : `ready until ${new Date(end).toISOString()}`
}
