import { Field } from './field.tsx'

/** One of several, each with its word. */
export function Choice<const Option extends string>({
  label,
  hint,
  value,
  options,
  onChoice,
}: {
  readonly label: string
  readonly hint?: string | undefined
  readonly value: Option
  readonly options: readonly (readonly [option: Option, word: string])[]
  readonly onChoice: (option: Option) => void
}) {
  const chosen = (text: string): void => {
    const found = options.find(([option]) => option === text)
    if (found !== undefined) onChoice(found[0])
  }
  return (
    <Field label={label} hint={hint}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={(event) => chosen(event.currentTarget.value)}>
          {options.map(([option, word]) => (
            <option key={option} value={option}>
              {word}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
