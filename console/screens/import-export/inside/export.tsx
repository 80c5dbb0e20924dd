import { useState } from 'preact/hooks'
import { Choice } from '../../../parts/choice.tsx'
import { Form } from '../../../parts/form.tsx'
import { holdings } from '../../../parts/holdings.ts'
import { Loading } from '../../../parts/loading.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { useLoaded } from '../../../parts/use-loaded.ts'
import type { Session } from '../../../session/session.ts'
import { askExport, type Asked, lookedAgain, opened } from './asked-export.ts'
import { keyFormats } from './key-formats.ts'
import { Secret } from './secret.tsx'
import { say } from './words.ts'

type ExportProps = { readonly session: Session; readonly signerKey: string }

/** A wallet, an account or a key, encrypted by the vault to a key that this page has made for this one time. */
export function Export({ session, signerKey }: ExportProps) {
  const loaded = useLoaded(() => holdings(session), [session])
  const [chosen, setChosen] = useState('')
  const [keyFormat, setFormat] = useState<(typeof keyFormats)[number][0]>('HEXADECIMAL')
  const [asked, setAsked] = useState<Asked | undefined>(undefined)
  const [secret, setSecret] = useState<string | undefined>(undefined)
  const action = useAction()
  const settle = async (next: Asked): Promise<void> => {
    setAsked(next)
    setSecret(await opened(next, { signerKey, organizationId: session.organizationId }))
  }
  return (
    <Loading of={loaded}>
      {(all) => {
        const what = all.find(({ id }) => id === chosen) ?? all[0]
        if (what === undefined) return <p>{say('nothing')}</p>
        const submit = (): void =>
          action.run(async () => {
            setSecret(undefined)
            setAsked(undefined)
            await settle(await askExport(session, what, keyFormat))
          })
        return (
          <>
            <h2>{say('export')}</h2>
            <Outcome of={{ error: action.error, activity: asked?.activity }} />
            {secret !== undefined && (
              <Secret
                of={secret}
                onForget={() => {
                  setSecret(undefined)
                  setAsked(undefined)
                }}
              />
            )}
            {asked?.activity.text('status') === 'ACTIVITY_STATUS_CONSENSUS_NEEDED' && (
              <>
                <p>{say('keepOpen')}</p>
                <button
                  type="button"
                  disabled={action.isBusy}
                  onClick={() => action.run(async () => settle(await lookedAgain(session, asked)))}
                >
                  {say('openNow')}
                </button>
              </>
            )}
            <Form onSubmit={submit}>
              <Choice
                label={say('what')}
                value={what.id}
                options={all.map(({ id, name }) => [id, name])}
                onChoice={setChosen}
              />
              {what.kind !== 'wallet' && (
                <Choice label={say('format')} value={keyFormat} options={keyFormats} onChoice={setFormat} />
              )}
              <button type="submit" class="danger" disabled={action.isBusy}>
                {say('doExport')}
              </button>
            </Form>
          </>
        )
      }}
    </Loading>
  )
}
