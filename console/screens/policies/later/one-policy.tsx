import { useState } from 'preact/hooks'
import { ifThere } from '../../../parts/if-there.ts'
import { BackTo } from '../../../parts/back-to.tsx'
import { Choice } from '../../../parts/choice.tsx'
import { Confirmed } from '../../../parts/confirmed.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { Outdated } from '../../../parts/outdated.tsx'
import { LongTextField, TextField } from '../../../parts/text-field.tsx'
import { useCurrent } from '../../../parts/use-current.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import type { Session } from '../../../session/session.ts'
import { plainText } from '../../../words/plain-text.ts'
import { mistakeIn } from '../check-terms.ts'
import { ExpressionField } from './expression-field.tsx'
import type { Ground } from '../ground.ts'
import { Findings } from '../findings.tsx'
import { ReplayPart } from '../replay-part.tsx'
import { changeOf, isSame, NEW_ID, type Terms, termsOf } from '../terms.ts'
import { TryPart } from '../try-part.tsx'
import { useTerms } from './use-terms.ts'
import { say as sayOfPolicies } from '../words.ts'
import { say } from './words.ts'

const PARTS = ['condition', 'consensus', 'time'] as const

/** A policy, or a new one: written, tried, replayed, compared with what stands, and asked for as one activity. */
export function OnePolicy({
  session,
  policyId,
  ground: { all, hasGuard, language, names },
  again,
}: {
  readonly session: Session
  readonly policyId: string
  readonly ground: Ground
  /** Reads all policies anew. */
  readonly again: () => void
}) {
  const known = all.find((policy) => policy.text('policyId') === policyId)
  const { stored, terms, change } = useTerms(known)
  const id = known === undefined ? undefined : policyId
  const isRight = PARTS.every((part) => mistakeIn(part, terms[part]) === undefined)
  if (known === undefined && policyId !== NEW_ID) return <p>{sayOfPolicies('gone')}</p>
  return (
    <>
      <BackTo path="policies" label={sayOfPolicies('back')} />
      <p class="note">{language.sentenceOf(terms, names)}</p>
      <TextField
        label={sayOfPolicies('name')}
        value={terms.policyName}
        onText={(policyName) => change({ policyName })}
      />
      <Choice
        label={sayOfPolicies('effect')}
        value={terms.effect}
        options={[
          ['EFFECT_ALLOW', sayOfPolicies('allow')],
          ['EFFECT_DENY', sayOfPolicies('deny')],
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
      <LongTextField
        label={sayOfPolicies('notes')}
        value={terms.notes}
        onText={(notes) => change({ notes })}
      />
      <Findings policyId={id} terms={terms} all={all} hasGuard={hasGuard} />
      <Changes before={stored} now={terms} />
      <Submit session={session} policyId={id} before={stored} now={terms} isRight={isRight} again={again} />
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
          <h3>{sayOfPolicies(name === 'policyName' ? 'name' : name)}</h3>
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

type Submission = {
  readonly session: Session
  readonly policyId: string | undefined
  readonly before: Terms
  readonly now: Terms
  readonly isRight: boolean
  readonly again: () => void
}

function Submit({ session, policyId, before, now, isRight, again }: Submission) {
  const submitting = useSubmit()
  const current = useCurrent()
  const isBusy = current.isBusy || submitting.isBusy
  const [asked, setAsked] = useState<Terms | undefined>(undefined)
  const { type, parameters } = changeOf(policyId, before, now)
  /** Nobody changes or deletes what was not read: the service would take it, whatever the policy says by then. */
  const ask = (type: string, parameters: object, onTaken = () => {}): void =>
    current.run(
      async () => policyId === undefined || (await isStored(session, policyId, before)),
      () =>
        submitting.run(
          () => session.submit(type, parameters),
          () => {
            setAsked(now)
            onTaken()
          },
        ),
      again,
    )
  return (
    <>
      <Outcome of={submitting} />
      <Outdated of={current} text={say('outdated')} />
      <div class="row">
        {(asked === undefined || !isSame(asked, now)) && (
          <button
            type="button"
            class="primary"
            disabled={isBusy || !isRight || isSame(before, now) || now.policyName === ''}
            onClick={() => ask(type, parameters, policyId === undefined ? undefined : again)}
          >
            {sayOfPolicies('submit')}
          </button>
        )}
        {policyId !== undefined && (
          <Confirmed
            label={say('delete')}
            isBusy={isBusy}
            onConfirmed={() => ask('ACTIVITY_TYPE_DELETE_POLICY', { policyId })}
          >
            <p>{say('deleteWhy')}</p>
          </Confirmed>
        )}
      </div>
    </>
  )
}

/** Whether a policy is still stored with these terms. */
async function isStored(session: Session, policyId: string, terms: Terms): Promise<boolean> {
  const answer = await ifThere(session.query('get_policy', { policyId }))
  return answer !== undefined && isSame(termsOf(answer.object('policy')), terms)
}
