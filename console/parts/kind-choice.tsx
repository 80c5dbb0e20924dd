import { Choice } from './choice.tsx'
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
    <Choice
      label={label}
      value={value}
      options={derivations.map(({ name, addressFormat }) => [addressFormat, name])}
      onChoice={onChoice}
    />
  )
}
