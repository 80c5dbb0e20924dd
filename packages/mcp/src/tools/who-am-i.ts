import * as z from 'zod'
import type { Agent } from '../agent.ts'
import { asData, type Data } from '../data.ts'
import { probedLimits, type UsedLimit } from '../probed-limits.ts'
import { type Policy, policiesOf, sentenceOf } from '../policies.ts'
import { conditionInWords, consensusInWords } from '../policy-words.ts'
import { told } from '../result.ts'
import { defineTool } from '../tool.ts'

export const whoAmI = defineTool({
  name: 'who_am_i',
  title: 'Who am I, and what may I do',
  description:
    'Says who this agent is, which policies bind it, in words and as text, and what is left of their limits now. ' +
    'Everything that no policy allows is refused. No tool changes any of this.',
  arguments: z.strictObject({}),
  signs: false,
  run: async (_, { service, agent }, { signal }) => {
    const me = await agent()
    const policies = await policiesOf(service, me, signal)
    const limits = await probedLimits(service, me, policies, signal)
    const { tagIds: _tagIds, ...shown } = me
    const { full, short } = withRoom(policies.map((policy) => policyShown(policy, me, limits)))
    const left =
      short.length === 0
        ? ''
        : ` There is no room for all: of ${short.length} of them only the name is shown.`
    return told(
      `You are a user of this organization. ${policies.length} policies are about you; ` +
        `what none of them allows is refused.${left}`,
      { me: shown, policies: [...full.toSorted(denialsFirst), ...short.toSorted(denialsFirst)] },
    )
  },
})

type Named = { readonly policyId: string; readonly name: Data; readonly says: string }

const REFUSES = 'It refuses, whatever else allows:'
const ALLOWS = 'It allows, where all of this holds:'

function denialsFirst(a: Named, b: Named): number {
  return Number(b.says === REFUSES) - Number(a.says === REFUSES)
}

/**
 * A hundred policies can be as long as several books, which others may have written: a model would hold nothing else.
 * Those that name the agent come first.
 */
function withRoom(shown: readonly Named[]): {
  readonly full: readonly Named[]
  readonly short: readonly Named[]
} {
  const lengths = shown.map((policy) => JSON.stringify(policy).length)
  const hasRoom = (at: number) =>
    lengths.slice(0, at + 1).reduce((sum, one) => sum + one, 0) <= CHARACTERS_MAX
  return {
    full: shown.filter((_, at) => hasRoom(at)),
    short: shown
      .filter((_, at) => !hasRoom(at))
      .map(({ policyId, name, says }) => ({ policyId, name, says })),
  }
}

const CHARACTERS_MAX = 50_000

function policyShown(policy: Policy, { userId }: Agent, limits: readonly UsedLimit[]) {
  const { policyId, policyName, effect, notes, condition, time } = policy
  const sentence = sentenceOf(policy)
  return {
    policyId,
    name: asData(policyName),
    says: effect === 'EFFECT_DENY' ? REFUSES : ALLOWS,
    ...(sentence === undefined ? {} : { sentence: asData(sentence, 1_000) }),
    condition: condition === '' ? [] : conditionInWords(condition),
    consensus: consensusInWords(policy, userId),
    ...(time === undefined || time === '' ? {} : { onlyWhile: asData(time, 1_000) }),
    ...(notes === '' || sentence !== undefined ? {} : { notes: asData(notes) }),
    limits: limits.filter((limit) => limit.policyId === policyId),
  }
}
