import { useState } from 'preact/hooks'
import { BackTo } from '../../parts/back-to.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { LongTextField, TextField } from '../../parts/text-field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Session } from '../../session/session.ts'
import { plainText } from '../../words/plain-text.ts'
import { mistakeIn } from './check-terms.ts'
import { ExpressionField } from './expression-field.tsx'
import type { Ground } from './ground.ts'
import { Findings } from './findings.tsx'
import { ReplayPart } from './replay-part.tsx'
import { changeOf, NEW, NEW_ID, type Terms, termsOf } from './terms.ts'
import { TryPart } from './try-part.tsx'
import { say } from './words.ts'

const PARTS = ['condition', 'consensus', 'time'] as const

/** A policy, or a new one: written, tried, replayed, compared with what stands, and asked for as one activity. */
export function OnePolicy({
  session,
  policyId,
  ground: { all, hasGuard, language, names },
}: {
  readonly session: Session
  readonly policyId: string
  readonly ground: Ground
}) {
  const known = all.find((policy) => policy.text('policyId') === policyId)
  const stored = known === undefined ? NEW : termsOf(known)
  const [terms, setTerms] = useState(stored)
  const id = known === undefined ? undefined : policyId
  const change = (changed: Partial<Terms>): void => setTerms({ ...terms, ...changed })
  const isRight = PARTS.every((part) => mistakeIn(part, terms[part]) === undefined)
  if (known === undefined && policyId !== NEW_ID) return <p>{say('gone')}</p>
  return (
    <>
      <BackTo path="policies" label={say('back')} />
      <p class="note">{language.sentenceOf(terms, names)}</p>
      <TextField
        label={say('name')}
        value={terms.policyName}
        onText={(policyName) => change({ policyName })}
      />
      <Choice
        label={say('effect')}
        value={terms.effect}
        options={[
          ['EFFECT_ALLOW', say('allow')],
          ['EFFECT_DENY', say('deny')],
        ]}
        onChoice={(effect) => change({ effect })}
      />
      {PARTS.map((part) => (
        <ExpressionField
          key={part}
          part={part}
          text={terms[part]}
          onText={(text) => change({ [part]: text })}
        />
      ))}
      <LongTextField label={say('notes')} value={terms.notes} onText={(notes) => change({ notes })} />
      <Findings policyId={id} terms={terms} all={all} hasGuard={hasGuard} />
      <Changes before={stored} now={terms} />
      <Submit session={session} policyId={id} before={stored} now={terms} isRight={isRight} />
      {isRight && (
        <>
          <TryPart session={session} written={[{ policyId: id, terms }]} />
          <ReplayPart session={session} written={[{ policyId: id, terms }]} />
        </>
      )}
    </>
  )
}

/** What is another than it was, both ways. */
function Changes({ before, now }: { readonly before: Terms; readonly now: Terms }) {
  const names = (['policyName', 'effect', 'condition', 'consensus', 'time', 'notes'] as const).filter(
    (name) => before[name] !== now[name],
  )
  if (names.length === 0) return <p class="faint">{say('unchanged')}</p>
  return (
    <>
      <h2>{say('changes')}</h2>
      {names.map((name) => (
        <div key={name}>
          <h3>{say(name === 'policyName' ? 'name' : name)}</h3>
          <pre>
            {before[name] !== '' && <del>{plainText(before[name])}</del>}
            {before[name] !== '' && now[name] !== '' && '\n'}
            {now[name] !== '' && <ins>{plainText(now[name])}</ins>}
          </pre>
        </div>
      ))}
    </>
  )
}

function Submit({
  session,
  policyId,
  before,
  now,
  isRight,
}: {
  readonly session: Session
  readonly policyId: string | undefined
  readonly before: Terms
  readonly now: Terms
  readonly isRight: boolean
}) {
  const submitting = useSubmit()
  const [asked, setAsked] = useState<Terms | undefined>(undefined)
  const isSame = JSON.stringify(before) === JSON.stringify(now)
  const ask = (type: string, parameters: object): void =>
    submitting.run(
      () => session.submit(type, parameters),
      () => setAsked(now),
    )
  const { type, parameters } = changeOf(policyId, before, now)
  return (
    <>
      <Outcome of={submitting} />
      <div class="row">
        {asked !== now && (
          <button
            type="button"
            class="primary"
            disabled={submitting.isBusy || !isRight || isSame || now.policyName === ''}
            onClick={() => ask(type, parameters)}
          >
            {say('submit')}
          </button>
        )}
        {policyId !== undefined && (
          <Confirmed
            label={say('delete')}
            isBusy={submitting.isBusy}
            onConfirmed={() => ask('ACTIVITY_TYPE_DELETE_POLICY', { policyId })}
          >
            <p>{say('deleteWhy')}</p>
          </Confirmed>
        )}
      </div>
    </>
  )
}
