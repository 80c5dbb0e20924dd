import { TextField } from '../../parts/text-field.tsx'
import { say } from './words.ts'

/** The public half of a P-256 key, compressed; its user makes the pair and keeps the other half. */
export function PublicKeyField({
  hint,
  value,
  onText,
}: {
  readonly hint?: string | undefined
  readonly value: string
  readonly onText: (text: string) => void
}) {
  return (
    <TextField
      label={say('keyOfUser')}
      hint={hint}
      class="id"
      required
      pattern="0[23][0-9a-fA-F]{64}"
      value={value}
      onText={(text) => onText(text.trim())}
    />
  )
}
