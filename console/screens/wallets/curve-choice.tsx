import { Choice } from '../../parts/choice.tsx'
import { CURVES } from './address-formats.ts'
import { say } from './words.ts'

export type Curve = (typeof CURVES)[number]['curve']

export function CurveChoice({
  value,
  onChoice,
}: {
  readonly value: Curve
  readonly onChoice: (curve: Curve) => void
}) {
  return (
    <Choice
      label={say('curve')}
      value={value}
      options={CURVES.map(({ curve, name }) => [curve, name])}
      onChoice={onChoice}
    />
  )
}
