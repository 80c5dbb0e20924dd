import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { FoldedForm } from '../../parts/form.tsx'
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
  return (
    <div ref={around}>
      <FoldedForm
        title={say('byKey')}
        isOpen={isWanted}
        onSubmit={() => {
          if (onKey(text)) setText('')
        }}
      >
        {!isWanted && file}
        <LongTextField
          label={say(isWanted ? 'keyHere' : 'keyText')}
          hint={say('keyHint')}
          class="masked"
          value={text}
          onText={setText}
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit" disabled={isBusy}>
          {say('keySubmit')}
        </button>
      </FoldedForm>
    </div>
  )
}
