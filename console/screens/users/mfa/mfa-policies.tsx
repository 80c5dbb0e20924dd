import { Cards } from '../../../parts/cards.tsx'
import { Confirmed } from '../../../parts/confirmed.tsx'
import { Loading } from '../../../parts/loading.tsx'
import { Name } from '../../../parts/name.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { pathTo } from '../../../parts/path-to.ts'
import { useLoaded } from '../../../parts/use-loaded.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import type { Answered } from '../../../service/answered.ts'
import type { Session } from '../../../session/session.ts'
import { plainText } from '../../../words/plain-text.ts'
import { methodWord } from './methods.ts'
import { NewMfaPolicy } from './new-mfa-policy.tsx'
import { say } from './words.ts'

type Showing = { readonly session: Session; readonly user: Answered }

/** What a user has to prove beside the stamp of a request, and for which requests. */
export function MfaPolicies({ session, user }: Showing) {
  const userId = user.text('userId')
  const submitting = useSubmit()
  const loaded = useLoaded(
    async () => (await session.query('get_mfa_policies', { userId })).list('mfaPolicies'),
    [session, userId],
  )
  const change = (type: string, parameters: object): void =>
    submitting.run(() => session.submit(type, { userId, ...parameters }), loaded.again)
  return (
    <>
      <h1>
        {say('title')} {' · '} <Name of={user.text('userName')} id={userId} />
      </h1>
      <p>
        <a href={pathTo('users', userId)}>{say('back')}</a>
      </p>
      <p>{say('about')}</p>
      <Outcome of={submitting} />
      <Loading of={loaded}>
        {(policies) => (
          <>
            <Cards of={policies} none={say('none')}>
              {(policy) => {
                const mfaPolicyId = policy.text('mfaPolicyId')
                return (
                  <li key={mfaPolicyId}>
                    <Name of={policy.text('mfaPolicyName')} />
                    <Confirmed
                      label={say('remove')}
                      isBusy={submitting.isBusy}
                      onConfirmed={() => change('ACTIVITY_TYPE_DELETE_MFA_POLICY', { mfaPolicyId })}
                    >
                      <p>{say('removeWhy')}</p>
                    </Confirmed>
                    <span class="whole">
                      {say('when')} <code>{plainText(policy.text('condition'))}</code>
                    </span>
                    <ol class="whole">
                      {policy.list('requiredAuthenticationMethods').map((step) => (
                        <li key={step.path}>{methodsOf(step)}</li>
                      ))}
                    </ol>
                  </li>
                )
              }}
            </Cards>
            <NewMfaPolicy
              key={policies.length}
              user={user}
              order={1 + Math.max(-1, ...policies.map((policy) => policy.number('order')))}
              isBusy={submitting.isBusy}
              onWritten={(parameters) => change('ACTIVITY_TYPE_CREATE_MFA_POLICY', parameters)}
            />
          </>
        )}
      </Loading>
    </>
  )
}

function methodsOf(step: Answered): string {
  const methods = step.list('any').map((method) => methodWord(method.text('type')))
  return plainText(methods.join(` ${say('or')} `))
}
