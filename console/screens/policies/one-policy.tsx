import { useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { Problem } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { plainText } from '../../words/plain-text.ts'
import { ExpressionField } from './expression-field.tsx'
import type { Language } from './language.ts'
import { ReplayPart } from './replay-part.tsx'
import { changeOf, NEW, type Terms, termsOf } from './terms.ts'
import { TryPart } from './try-part.tsx'
import { say } from './words.ts'

const PARTS = ['condition', 'consensus', 'time'] as const

/** A policy, or a new one: written, tried, replayed, compared with what stands, and asked for as one activity. */
export function OnePolicy({
  session,
  policyId,
  all,
  language,
}: {
  readonly session: Session
  readonly policyId: string
  readonly all: readonly Answered[]
  readonly language: Language
}) {
  const known = all.find((policy) => policy.text('policyId') === policyId)
  const stored = known === undefined ? NEW : termsOf(known)
  const [terms, setTerms] = useState(stored)
  const id = known === undefined ? undefined : policyId
  const change = (changed: Partial<Terms>): void => setTerms({ ...terms, ...changed })
  const isRight = PARTS.every((part) => language.mistakeIn(part, terms[part]) === undefined)
  if (known === undefined && policyId !== 'new') return <p>{say('gone')}</p>
  return (
    <>
      <p>
        <a href={pathTo('policies')}>{say('back')}</a>
      </p>
      <p class="note">{language.sentenceOf(terms)}</p>
      <Field label={say('name')}>
        {(attributes) => (
          <input
            {...attributes}
            value={terms.policyName}
            onInput={(event) => change({ policyName: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={say('effect')}>
        {(attributes) => (
          <select
            {...attributes}
            value={terms.effect}
            onChange={(event) => change({ effect: event.currentTarget.value })}
          >
            <option value="EFFECT_ALLOW">{say('allow')}</option>
            <option value="EFFECT_DENY">{say('deny')}</option>
          </select>
        )}
      </Field>
      {PARTS.map((part) => (
        <ExpressionField
          key={part}
          part={part}
          text={terms[part]}
          language={language}
          onText={(text) => change({ [part]: text })}
        />
      ))}
      <Field label={say('notes')}>
        {(attributes) => (
          <textarea
            {...attributes}
            value={terms.notes}
            onInput={(event) => change({ notes: event.currentTarget.value })}
          />
        )}
      </Field>
      <Changes before={stored} now={terms} />
      <Submit session={session} policyId={id} before={stored} now={terms} isRight={isRight} />
      {isRight && (
        <>
          <TryPart session={session} policyId={id} terms={terms} />
          <ReplayPart session={session} policyId={id} terms={terms} />
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
  const { isBusy, error, run } = useAction()
  const [done, setDone] = useState<{ readonly activity: Answered; readonly of: Terms } | undefined>(undefined)
  const isSame = JSON.stringify(before) === JSON.stringify(now)
  const ask = (type: string, parameters: object): void =>
    run(async () => setDone({ activity: await session.submit(type, parameters), of: now }))
  const { type, parameters } = changeOf(policyId, before, now)
  return (
    <>
      {error !== undefined && <Problem error={error} />}
      {done !== undefined && (
        <p class="note good" role="status">
          {say('asked')} <Status of={done.activity.text('status')} />{' '}
          <a href={pathTo('activities', done.activity.text('id'))}>{say('show')}</a>
        </p>
      )}
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={isBusy || !isRight || isSame || now.policyName === '' || done?.of === now}
          onClick={() => ask(type, parameters)}
        >
          {say('submit')}
        </button>
        {policyId !== undefined && (
          <button
            type="button"
            class="danger"
            disabled={isBusy}
            onClick={() => ask('ACTIVITY_TYPE_DELETE_POLICY', { policyId })}
          >
            {say('delete')}
          </button>
        )}
      </div>
    </>
  )
}
