import * as z from 'zod'
import type { Agent } from '../agent.ts'
import { asData } from '../data.ts'
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
    return told(
      `You are a user of this organization. ${policies.length} policies are about you; ` +
        'what none of them allows is refused.',
      {
        me: shown,
        policies: policies.toSorted(denialsFirst).map((policy) => policyShown(policy, me, limits)),
      },
    )
  },
})

function denialsFirst(a: Policy, b: Policy): number {
  return Number(b.effect === 'EFFECT_DENY') - Number(a.effect === 'EFFECT_DENY')
}

function policyShown(policy: Policy, { userId }: Agent, limits: readonly UsedLimit[]): object {
  const { policyId, policyName, effect, notes, condition, time } = policy
  const sentence = sentenceOf(policy)
  return {
    policyId,
    name: asData(policyName),
    says:
      effect === 'EFFECT_DENY' ? 'It refuses, whatever else allows:' : 'It allows, where all of this holds:',
    ...(sentence === undefined ? {} : { sentence: asData(sentence, 1_000) }),
    condition: condition === '' ? [] : conditionInWords(condition),
    consensus: consensusInWords(policy, userId),
    ...(time === undefined || time === '' ? {} : { onlyWhile: asData(time, 1_000) }),
    ...(notes === '' || sentence !== undefined ? {} : { notes: asData(notes) }),
    limits: limits.filter((limit) => limit.policyId === policyId),
  }
}
