import { useMemo, useState } from 'preact/hooks'
import { Failure } from '../../../src/trusted/base/failure.ts'
import { Choice } from '../../parts/choice.tsx'
import { Field } from '../../parts/field.tsx'
import { FoldedForm } from '../../parts/form.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { Problem } from '../../parts/problem.tsx'
import { LongTextField, TextField } from '../../parts/text-field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Session } from '../../session/session.ts'
import { FunctionList } from './function-list.tsx'
import { type ContractFunction, functionsIn } from './functions-in.ts'
import { type Kind, KINDS } from './kinds.ts'
import { say } from './words.ts'

/** An interface from a file or from a text; the page shows what it names, or why the vault would refuse it. */
export function NewContract({ session, onMade }: { readonly session: Session; readonly onMade: () => void }) {
  const submitting = useSubmit()
  const [type, setType] = useState<Kind>(KINDS[0].type)
  const [label, setLabel] = useState('')
  const [smartContractAddress, setAddress] = useState('')
  const [notes, setNotes] = useState('')
  const [smartContractInterface, setText] = useState('')
  const found = useMemo(
    () => read(type, smartContractInterface, smartContractAddress),
    [type, smartContractInterface, smartContractAddress],
  )
  const submit = (): void =>
    submitting.run(
      () =>
        session.submit('ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE', {
          smartContractAddress,
          smartContractInterface,
          type,
          label,
          ...(notes === '' ? {} : { notes }),
        }),
      () => {
        setLabel('')
        setText('')
        onMade()
      },
    )
  return (
    <FoldedForm title={say('add')} onSubmit={submit}>
      <Outcome of={submitting} />
      <Choice
        label={say('kind')}
        value={type}
        options={KINDS.map((one) => [one.type, say(one.word)])}
        onChoice={setType}
      />
      <TextField label={say('label')} required value={label} onText={setLabel} />
      <TextField
        label={say('address')}
        class="id"
        required
        spellcheck={false}
        value={smartContractAddress}
        onText={(text) => setAddress(text.trim())}
      />
      <TextField label={say('notes')} hint={say('optional')} value={notes} onText={setNotes} />
      <Field label={say('file')}>
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            accept=".json,application/json"
            onChange={(event) => {
              event.currentTarget.files?.[0]?.text().then(setText, reportError)
            }}
          />
        )}
      </Field>
      <LongTextField
        label={say('text')}
        hint={say('textHint')}
        class="id"
        required
        rows={6}
        spellcheck={false}
        value={smartContractInterface}
        onText={setText}
      />
      {found !== undefined &&
        (found.functions === undefined ? (
          <Problem error={found.failure} />
        ) : (
          <FunctionList of={found.functions} />
        ))}
      <button type="submit" class="primary" disabled={submitting.isBusy || found?.functions === undefined}>
        {say('create')}
      </button>
    </FoldedForm>
  )
}

type Found =
  | { readonly functions: readonly ContractFunction[] }
  | { readonly functions?: never; readonly failure: Failure }

/** Undefined while there is no text. */
function read(type: Kind, text: string, address: string): Found | undefined {
  if (text === '') return undefined
  try {
    return { functions: functionsIn(type, text, address) }
  } catch (failure) {
    if (failure instanceof Failure) return { failure }
    throw failure
  }
}
