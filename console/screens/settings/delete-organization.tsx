import { useState } from 'preact/hooks'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Id } from '../../parts/id.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Session } from '../../session/session.ts'
import { plainText } from '../../words/plain-text.ts'
import { say } from './words.ts'

/** For a sub-organization alone; nothing that the page can ask tells whether it is one, and the service refuses the rest. */
export function DeleteOrganization({ session }: { readonly session: Session }) {
  const submitting = useSubmit()
  const [typed, setTyped] = useState('')
  const loaded = useLoaded(() => neverExported(session), [session])
  const name = plainText(session.organizationName)
  return (
    <section>
      <h2>{say('deleteTitle')}</h2>
      <p>{say('deleteWhy')}</p>
      <Outcome of={submitting} />
      <Loading of={loaded}>
        {({ wallets, keys }) => (
          <>
            <TextField label={say('typeName', { name })} autocomplete="off" value={typed} onText={setTyped} />
            <Confirmed
              label={say('deleteOrganization')}
              isBusy={submitting.isBusy || typed !== name}
              onConfirmed={() =>
                submitting.run(() =>
                  session.submit(
                    'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION',
                    wallets + keys === 0 ? {} : { deleteWithoutExport: true },
                  ),
                )
              }
            >
              <p>
                <Id of={session.organizationId} />
              </p>
              <p>{say('deleteAll')}</p>
              {wallets + keys > 0 && (
                <p>
                  <strong>{say('deleteUnexported', { wallets, keys })}</strong>
                </p>
              )}
            </Confirmed>
          </>
        )}
      </Loading>
    </section>
  )
}

/** How many secrets have no copy outside. */
async function neverExported(session: Session) {
  const [wallets, keys] = await Promise.all([
    session.query('list_wallets').then((answer) => answer.list('wallets')),
    session.query('list_private_keys').then((answer) => answer.list('privateKeys')),
  ])
  const count = (all: typeof wallets): number => all.filter((one) => !one.flag('exported')).length
  return { wallets: count(wallets), keys: count(keys) }
}
