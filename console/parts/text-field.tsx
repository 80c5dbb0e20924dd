import type { JSX } from 'preact'
import { Field } from './field.tsx'

type Writing = {
  readonly label: string
  readonly hint?: string | undefined
  readonly value: string
  readonly onText: (text: string) => void
}

type Attributes<Tag extends 'input' | 'textarea'> = Omit<JSX.IntrinsicElements[Tag], keyof Writing>

/** A field for one line of text; what else it is given are attributes of the input. */
export function TextField({ label, hint, onText, ...input }: Writing & Attributes<'input'>) {
  return (
    <Field label={label} hint={hint}>
      {(attributes) => (
        <input {...input} {...attributes} onInput={(event) => onText(event.currentTarget.value)} />
      )}
    </Field>
  )
}

/** A field for several lines of text. */
export function LongTextField({ label, hint, onText, ...input }: Writing & Attributes<'textarea'>) {
  return (
    <Field label={label} hint={hint}>
      {(attributes) => (
        <textarea {...input} {...attributes} onInput={(event) => onText(event.currentTarget.value)} />
      )}
    </Field>
  )
}
