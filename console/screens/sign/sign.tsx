import { useState } from 'preact/hooks'
import { Choice } from '../../parts/choice.tsx'
import { Form } from '../../parts/form.tsx'
import { holdings } from '../../parts/holdings.ts'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { LongTextField } from '../../parts/text-field.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { ScreenProps } from '../screen.ts'
import { say as title } from '../words.ts'
import { askedSignature, type Kind } from './asked-signature.ts'
import { type Read, ReadDraft } from './read-draft.tsx'
import { say } from './words.ts'

const TRANSACTIONS = ['ETHEREUM', 'SOLANA', 'BITCOIN', 'TRON', 'TEMPO'] as const

/** Something to sign is read from its exact bytes before it can be sent; a change of it has to be read anew. */
export function Sign({ session }: ScreenProps) {
  const loaded = useLoaded(async () => {
    // Before anything is typed: a page that was left open may miss the file.
    const [all, { said }, { signatureOf }] = await Promise.all([
      holdings(session),
      import('../../readers/readers.ts'),
      import('../../readers/signature.ts'),
    ])
    return { signers: all.filter(({ kind }) => kind !== 'wallet'), said, signatureOf }
  }, [session])
  const [chosen, setChosen] = useState('')
  const [kind, setKind] = useState<Kind>('transaction')
  const [chain, setChain] = useState<(typeof TRANSACTIONS)[number]>('ETHEREUM')
  const [text, setText] = useState('')
  const [read, setRead] = useState<Read | undefined>(undefined)
  // Reading may have to load a file: what is changed meanwhile is not what was read.
  const [changes] = useState({ count: 0 })
  const action = useAction()
  const changed =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      changes.count += 1
      setRead(undefined)
      set(value)
    }
  return (
    <>
      <h1>{title('sign')}</h1>
      <Loading of={loaded}>
        {({ signers, said, signatureOf }) => {
          const signer = signers.find(({ id }) => id === chosen) ?? signers[0]
          if (signer === undefined) return <p>{say('noKeys')}</p>
          const signWith = signer.parameters['address'] ?? signer.id
          const show = (): void =>
            action.run(async () => {
              setRead(undefined)
              const before = changes.count
              const { type, parameters } = askedSignature(kind, signWith, `TRANSACTION_TYPE_${chain}`, text)
              const draft = session.draft(type, parameters)
              const words = await said(draft.body)
              const { curve = '', publicKey = '', address } = signer
              const key = { curve, publicKey, ...(address === undefined ? {} : { address }) }
              const isSigned =
                words.refusals.length > 0 ? async () => false : await signatureOf(parameters, key)
              if (changes.count === before) setRead({ draft, words, publicKey, isSigned })
            })
          return (
            <>
              <Form onSubmit={show}>
                <Choice
                  label={say('key')}
                  value={signer.id}
                  options={signers.map(({ id, name }) => [id, name])}
                  onChoice={changed(setChosen)}
                />
                <Choice
                  label={say('kind')}
                  value={kind}
                  options={[
                    ['transaction', say('transaction')],
                    ['ethereumMessage', say('ethereumMessage')],
                    ['message', say('message')],
                    ['typedData', say('typedData')],
                    ['raw', say('raw')],
                  ]}
                  onChoice={changed(setKind)}
                />
                {kind === 'transaction' && (
                  <Choice
                    label={say('chain')}
                    value={chain}
                    options={TRANSACTIONS.map((one) => [one, one])}
                    onChoice={changed(setChain)}
                  />
                )}
                <LongTextField
                  label={say(`${kind}Text`)}
                  required
                  spellcheck={false}
                  autocomplete="off"
                  value={text}
                  onText={changed(setText)}
                />
                <button type="submit" class="primary" disabled={action.isBusy}>
                  {say('read')}
                </button>
              </Form>
              {action.error !== undefined && <Problem error={action.error} />}
              {read !== undefined && (
                <ReadDraft key={read.draft.body} session={session} isRaw={kind === 'raw'} {...read} />
              )}
            </>
          )
        }}
      </Loading>
    </>
  )
}
