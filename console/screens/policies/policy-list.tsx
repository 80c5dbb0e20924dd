import { Cards } from '../../parts/cards.tsx'
import { Name } from '../../parts/name.tsx'
import { pathTo } from '../../parts/path-to.ts'
import type { Answered } from '../../service/answered.ts'
import type { Language } from './language.ts'
import { TEMPLATES_PATH, termsOf } from './terms.ts'
import { say } from './words.ts'

/** Each policy with the sentence that its text says. */
export function PolicyList({
  all,
  language,
}: {
  readonly all: readonly Answered[]
  readonly language: Language
}) {
  return (
    <>
      <p>
        <a href={pathTo('policies', 'new')}>{say('write')}</a>
        {' · '}
        <a href={pathTo('policies', TEMPLATES_PATH)}>{say('templates')}</a>
      </p>
      <Cards of={all} none={say('none')}>
        {(policy) => <Line key={policy.text('policyId')} policy={policy} language={language} />}
      </Cards>
    </>
  )
}

function Line({ policy, language }: { readonly policy: Answered; readonly language: Language }) {
  const terms = termsOf(policy)
  const isDenial = terms.effect === 'EFFECT_DENY'
  return (
    <li>
      <a href={pathTo('policies', policy.text('policyId'))}>
        <Name of={terms.policyName} />
      </a>
      <span class={`badge ${isDenial ? 'bad' : 'good'}`}>{say(isDenial ? 'deny' : 'allow')}</span>
      <span class="faint">{language.sentenceOf(terms)}</span>
    </li>
  )
}
