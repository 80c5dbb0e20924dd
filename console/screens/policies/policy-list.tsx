import { Cards } from '../../parts/cards.tsx'
import { Name } from '../../parts/name.tsx'
import { pathTo } from '../../parts/path-to.ts'
import type { Answered } from '../../service/answered.ts'
import type { Ground } from './ground.ts'
import { PolicyText } from './policy-text.tsx'
import { TEMPLATES_PATH, termsOf } from './terms.ts'
import { say } from './words.ts'

/** Each policy with the sentence that its text says. */
export function PolicyList({ ground }: { readonly ground: Ground }) {
  return (
    <>
      <p>
        <a href={pathTo('policies', 'new')}>{say('write')}</a>
        {' · '}
        <a href={pathTo('policies', TEMPLATES_PATH)}>{say('templates')}</a>
      </p>
      <Cards of={ground.all} none={say('none')}>
        {(policy) => <Line key={policy.text('policyId')} policy={policy} ground={ground} />}
      </Cards>
    </>
  )
}

function Line({
  policy,
  ground: { language, names },
}: {
  readonly policy: Answered
  readonly ground: Ground
}) {
  const terms = termsOf(policy)
  const isDenial = terms.effect === 'EFFECT_DENY'
  return (
    <li>
      <a href={pathTo('policies', policy.text('policyId'))}>
        <Name of={terms.policyName} id={policy.text('policyId')} />
      </a>
      <span class={`badge ${isDenial ? 'bad' : 'good'}`}>{say(isDenial ? 'deny' : 'allow')}</span>
      <span class="faint">{language.sentenceOf(terms, names)}</span>
      <details class="whole">
        <summary>{say('text')}</summary>
        <PolicyText of={terms} />
      </details>
    </li>
  )
}
