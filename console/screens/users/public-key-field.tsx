import { TextField } from '../../parts/text-field.tsx'
import { say } from './words.ts'

/** What the public half of a key on a curve is written as. */
const FORMS = {
  API_KEY_CURVE_P256: { word: 'keyOfUser', pattern: '0[23][0-9a-fA-F]{64}' },
  API_KEY_CURVE_SECP256K1: { word: 'keyOnSecp256k1', pattern: '0[23][0-9a-fA-F]{64}' },
  API_KEY_CURVE_ED25519: { word: 'keyOnEd25519', pattern: '[0-9a-fA-F]{64}' },
} as const

/** The public half of an API key; its user makes the pair and keeps the other half. */
export function PublicKeyField({
  curveType = 'API_KEY_CURVE_P256',
  hint,
  value,
  onText,
}: {
  readonly curveType?: keyof typeof FORMS
  readonly hint?: string | undefined
  readonly value: string
  readonly onText: (text: string) => void
}) {
  const { word, pattern } = FORMS[curveType]
  return (
    <TextField
      label={say(word)}
      hint={hint}
      class="id"
      required
      pattern={pattern}
      title={say('keyForm')}
      value={value}
      onText={(text) => onText(text.trim())}
    />
  )
}
