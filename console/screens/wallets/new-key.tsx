import { useState } from 'preact/hooks'
import { FoldedForm } from '../../parts/form.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { Ticks } from '../../parts/ticks.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { CURVES, formatsOf, fullName } from './address-formats.ts'
import { type Curve, CurveChoice } from './curve-choice.tsx'
import { say } from './words.ts'

type Making = {
  readonly session: Session
  /** The tags that a private key can carry. */
  readonly tags: readonly Answered[]
  readonly onMade: () => void
}

/** A private key, which is made in the vault; an address in each format that is ticked. */
export function NewKey({ session, tags, onMade }: Making) {
  const submitting = useSubmit()
  const [privateKeyName, setName] = useState('')
  const [curve, setCurve] = useState<Curve>(CURVES[0].curve)
  const [formats, setFormats] = useState<readonly string[]>([])
  const [privateKeyTags, setTags] = useState<readonly string[]>([])
  const submit = (): void => {
    const privateKey = { privateKeyName, curve, addressFormats: formats.map(fullName), privateKeyTags }
    submitting.run(
      () => session.submit('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys: [privateKey] }),
      () => {
        setName('')
        onMade()
      },
    )
  }
  return (
    <FoldedForm title={say('addKey')} onSubmit={submit}>
      <Outcome of={submitting} />
      <TextField label={say('keyName')} required value={privateKeyName} onText={setName} />
      <CurveChoice
        value={curve}
        onChoice={(chosen) => {
          setCurve(chosen)
          setFormats([])
        }}
      />
      <Ticks
        legend={say('formats')}
        of={formatsOf(curve).map((name) => ({ id: name, name }))}
        ticked={formats}
        onTicked={setFormats}
      />
      {tags.length > 0 && (
        <Ticks
          legend={say('tags')}
          of={tags.map((tag) => ({ id: tag.text('tagId'), name: tag.text('tagName') }))}
          ticked={privateKeyTags}
          onTicked={setTags}
        />
      )}
      <p class="hint">{say('keyForGood')}</p>
      <p>
        <button type="submit" class="primary" disabled={submitting.isBusy}>
          {say('createKey')}
        </button>
      </p>
    </FoldedForm>
  )
}
