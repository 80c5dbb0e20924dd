import { Choice } from '../../../parts/choice.tsx'
import { LongTextField, TextField } from '../../../parts/text-field.tsx'
import { shortId } from '../../../words/plain-text.ts'
import type { Field, Mistaken } from './read-field.ts'
import { say } from './words.ts'

type FieldProps = {
  readonly field: Field
  readonly text: string
  readonly mistake: Mistaken | undefined
  /** What can be chosen; anything is typed where there is nothing to choose from. */
  readonly options: readonly (readonly [id: string, name: string])[] | undefined
  readonly onText: (text: string) => void
}

/** One field of a template, with what is wrong with it. */
export function FieldOf({ field, text, mistake, options, onText }: FieldProps) {
  const isEmpty = options?.length === 0
  return (
    <>
      {options !== undefined ? (
        <Choice
          label={labelOf(field)}
          hint={isEmpty ? say('noneThere') : undefined}
          value={text}
          options={options.map(([id, name]) => [id, withId(name, id)])}
          onChoice={onText}
        />
      ) : field === 'addresses' ? (
        <LongTextField
          label={labelOf(field)}
          spellcheck={false}
          autocomplete="off"
          value={text}
          onText={onText}
        />
      ) : (
        <TextField
          label={labelOf(field)}
          hint={field === 'amount' ? say('amountHint') : undefined}
          inputMode={field === 'amount' ? 'decimal' : 'numeric'}
          autocomplete="off"
          value={text}
          onText={onText}
        />
      )}
      {mistake !== undefined && !isEmpty && (
        <p class={mistake.mistake === 'nothing' ? 'hint' : 'note bad'} role="status">
          {say(mistake.mistake, { what: mistake.what })}
        </p>
      )}
    </>
  )
}

function labelOf(field: Field): string {
  return say(field === 'addresses' ? 'addressesField' : field)
}

/** The id of a source stands behind its kind; a coin has none. */
function withId(name: string, id: string): string {
  const short = shortId(id.slice(-ID_LENGTH))
  return short === '' ? name : `\u2068${name}\u2069${short}`
}

const ID_LENGTH = 36
