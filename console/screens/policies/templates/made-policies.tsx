import { useState } from 'preact/hooks'
import { Outcome } from '../../../parts/outcome.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { Answered } from '../../../service/answered.ts'
import type { Session } from '../../../session/session.ts'
import { plainText } from '../../../words/plain-text.ts'
import { Findings } from '../findings.tsx'
import type { Ground } from '../ground.ts'
import { PolicyText } from '../policy-text.tsx'
import { ReplayPart } from '../replay-part.tsx'
import { given, type Terms } from '../terms.ts'
import { TryPart } from '../try-part.tsx'
import { say as sayOfPolicies } from '../words.ts'

/** The policies that a template makes: their sentences and texts, what the lint finds, a try, and one activity that asks for all of them. */
export function MadePolicies({
  session,
  made,
  ground,
}: {
  readonly session: Session
  readonly made: readonly Terms[]
  readonly ground: Ground
}) {
  const key = JSON.stringify(made)
  const written = made.map((terms) => ({ policyId: undefined, terms }))
  return (
    <>
      {made.map((terms, at) => (
        <section key={`${at} ${key}`}>
          <h2>{plainText(terms.policyName)}</h2>
          <p class="note">{ground.language.sentenceOf(terms, ground.names)}</p>
          <PolicyText of={terms} />
          <Findings
            policyId={undefined}
            terms={terms}
            all={[...ground.all, ...storedAlike(made.toSpliced(at, 1))]}
            hasGuard={ground.hasGuard}
          />
        </section>
      ))}
      <Submit session={session} made={made} />
      <TryPart session={session} written={written} />
      <ReplayPart session={session} written={written} />
    </>
  )
}

/** As if they stood beside the others. */
function storedAlike(made: readonly Terms[]): readonly Answered[] {
  return made.map((terms, at) => new Answered({ policyId: `new ${at + 1}`, ...terms }))
}

function Submit({ session, made }: { readonly session: Session; readonly made: readonly Terms[] }) {
  const submitting = useSubmit()
  const [asked, setAsked] = useState('')
  const policies = made.map(({ notes, ...terms }) => ({ ...given(terms), notes }))
  const now = JSON.stringify(policies)
  return (
    <>
      <Outcome of={submitting} />
      {asked !== now && (
        <div class="row">
          <button
            type="button"
            class="primary"
            disabled={submitting.isBusy || made.some(({ policyName }) => policyName === '')}
            onClick={() =>
              submitting.run(
                () => session.submit('ACTIVITY_TYPE_CREATE_POLICIES', { policies }),
                () => setAsked(now),
              )
            }
          >
            {sayOfPolicies('submit')}
          </button>
        </div>
      )}
    </>
  )
}
