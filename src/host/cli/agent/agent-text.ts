import { onOneLine, printable } from '../policies/printable.ts'
import type { AgentPolicy } from './policy-parts.ts'
import { unseenBy } from './unseen.ts'
import type { WantedAgent } from './wanted-agent.ts'

/** The permitted and denied actions of an agent: sentences first, then the policies themselves, denials first. */
export function wantedText(
  wanted: WantedAgent,
  policies: readonly AgentPolicy[],
  more: { readonly heading: string; readonly beside: readonly string[] },
): string {
  return [
    `agent ${wanted.name}: ${more.heading}`,
    ...sentencesText(policies.map(({ effect, sentence }) => ({ effect, sentence }))),
    'Policies do not see or limit:',
    ...unseenBy(wanted).map((sentence) => `  - ${sentence}`),
    ...(more.beside.length === 0
      ? []
      : [
          'Other policies allow this user more, within the denials above:',
          ...more.beside.map((name) => `  - ${printable(name)}`),
        ]),
    '',
    'The policies; USER, WALLET, ADDRESS and ROOT stand for what is made now:',
    ...policies.flatMap(policyText),
    '',
  ].join('\n')
}

/** Plain sentences, denials first. */
export function sentencesText(
  policies: readonly { readonly effect: string; readonly sentence: string }[],
): readonly string[] {
  const of = (effect: string) =>
    policies.filter((policy) => policy.effect === effect).map(({ sentence }) => `  - ${printable(sentence)}`)
  const allowed = of('EFFECT_ALLOW')
  return [
    'Denied, even if other policies allow it:',
    ...of('EFFECT_DENY'),
    'Allowed:',
    ...(allowed.length === 0 ? ['  - Only reading.'] : allowed),
  ]
}

export function policyText(policy: {
  readonly policyName: string
  readonly effect: string
  readonly condition?: string
  readonly consensus?: string
  readonly time?: string
}): readonly string[] {
  const { policyName, effect, condition = '', consensus = '', time = '' } = policy
  return [
    `  ${effect}  ${printable(policyName)}`,
    ...(condition === '' ? [] : [`    condition  ${onOneLine(condition)}`]),
    ...(consensus === '' ? [] : [`    consensus  ${onOneLine(consensus)}`]),
    ...(time === '' ? [] : [`    time       ${onOneLine(time)}`]),
  ]
}
