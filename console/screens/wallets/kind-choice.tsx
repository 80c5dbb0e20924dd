import { Field } from '../../parts/field.tsx'
import { derivations } from './derivations.ts'

/** The kind of an account, by its chain. */
export function KindChoice({
  label,
  value,
  onChoice,
}: {
  readonly label: string
  readonly value: string
  readonly onChoice: (addressFormat: string) => void
}) {
  return (
    <Field label={label}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={(event) => onChoice(event.currentTarget.value)}>
          {derivations.map(({ name, addressFormat }) => (
            <option key={addressFormat} value={addressFormat}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
