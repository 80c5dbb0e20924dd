import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { FoldedForm, Form } from '../../parts/form.tsx'
import { LongTextField } from '../../parts/text-field.tsx'
import { say } from './words.ts'

type KeyFormProps = {
  /** Whether somebody is sent here to paste a key. */
  readonly isWanted: boolean
  readonly isBusy: boolean
  /** Takes what was pasted or chosen; empty where nothing new was. @returns whether there is a key in it */
  readonly onKey: (text: string) => boolean
}

/** An API key from a file or as text: nobody who looks over a shoulder reads it, and it is gone once there is a key in it. */
export function KeyForm({ isWanted, isBusy, onKey }: KeyFormProps) {
  const [text, setText] = useState('')
  const around = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (isWanted) around.current?.querySelector('textarea')?.focus()
  }, [isWanted])
  const file = (
    <Field label={say('keyFile')}>
      {(attributes) => (
        <input
          {...attributes}
          type="file"
          onChange={(event) => {
            event.currentTarget.files?.[0]?.text().then(setText, reportError)
          }}
        />
      )}
    </Field>
  )
  const submit = (): void => {
    if (onKey(text)) setText('')
  }
  const field = (
    <LongTextField
      label={say(isWanted ? 'keyHere' : 'keyText')}
      hint={say(isWanted ? 'keyHereHint' : 'keyHint')}
      class="masked"
      value={text}
      onText={setText}
      autocomplete="off"
      spellcheck={false}
    />
  )
  const button = (
    <button type="submit" disabled={isBusy}>
      {say(isWanted ? 'title' : 'keySubmit')}
    </button>
  )
  return (
    <div ref={around}>
      {isWanted ? (
        <Form onSubmit={submit}>
          {field}
          {button}
        </Form>
      ) : (
        <FoldedForm title={say('byKey')} onSubmit={submit}>
          {file}
          {field}
          {button}
        </FoldedForm>
      )}
    </div>
  )
}
