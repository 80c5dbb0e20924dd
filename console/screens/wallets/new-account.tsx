import { useState } from 'preact/hooks'
import { Choice } from '../../parts/choice.tsx'
import { FoldedForm } from '../../parts/form.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { CURVES, formatsOf, fullName } from './address-formats.ts'
import { type Curve, CurveChoice } from './curve-choice.tsx'
import { say } from './words.ts'

type Making = { readonly isBusy: boolean; readonly onMade: (account: object) => void }

/** An account of any curve and format, at a path that somebody chooses. */
export function NewAccount({ isBusy, onMade }: Making) {
  const [curve, setCurve] = useState<Curve>(CURVES[0].curve)
  const [format, setFormat] = useState(formatsOf(curve)[0] ?? '')
  const [path, setPath] = useState('')
  const [name, setName] = useState('')
  const submit = (): void =>
    onMade({
      curve,
      pathFormat: 'PATH_FORMAT_BIP32',
      path,
      addressFormat: fullName(format),
      ...(name === '' ? {} : { name }),
    })
  return (
    <FoldedForm title={say('addAccount')} onSubmit={submit}>
      <CurveChoice
        value={curve}
        onChoice={(chosen) => {
          setCurve(chosen)
          setFormat(formatsOf(chosen)[0] ?? '')
        }}
      />
      <Choice
        label={say('format')}
        value={format}
        options={formatsOf(curve).map((one) => [one, one])}
        onChoice={setFormat}
      />
      <TextField label={say('path')} hint={say('pathHint')} required value={path} onText={setPath} />
      <TextField label={say('accountName')} hint={say('optional')} value={name} onText={setName} />
      <button type="submit" disabled={isBusy}>
        {say('createAccount')}
      </button>
    </FoldedForm>
  )
}
