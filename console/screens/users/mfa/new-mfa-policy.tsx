import { useState } from 'preact/hooks'
import { FoldedForm } from '../../../parts/form.tsx'
import { TextField } from '../../../parts/text-field.tsx'
import { Ticks } from '../../../parts/ticks.tsx'
import type { Answered } from '../../../service/answered.ts'
import { canPass, METHODS, type Step } from './methods.ts'
import { say } from './words.ts'

const STEPS_MAX = 10

// Without exports a thief of one proof could sign with the exported key, and without new credentials add the other proof.
const SIGNATURES_AND_WAYS_AROUND =
  "activity.action in ['SIGN', 'EXPORT'] || activity.resource in ['CREDENTIAL', 'RECOVERY']"

type Writing = {
  readonly user: Answered
  /** The place behind the policies that there are. */
  readonly order: number
  readonly isBusy: boolean
  readonly onWritten: (parameters: object) => void
}

/** A policy of a user in steps; before it is sent, the page says which step the user could not pass. */
export function NewMfaPolicy({ user, order, isBusy, onWritten }: Writing) {
  const [mfaPolicyName, setName] = useState('')
  const [condition, setCondition] = useState(SIGNATURES_AND_WAYS_AROUND)
  const [steps, setSteps] = useState<readonly Step[]>([
    ['AUTHENTICATION_TYPE_API_KEY'],
    ['AUTHENTICATION_TYPE_PASSKEY'],
  ])
  const choose = (at: number, ids: readonly string[]): void => {
    const chosen = METHODS.map(([method]) => method).filter((method) => ids.includes(method))
    setSteps(steps.map((step, place) => (place === at ? chosen : step)))
  }
  const submit = (): void =>
    onWritten({
      mfaPolicyName,
      condition,
      order,
      requiredAuthenticationMethods: steps.map((step) => ({ any: step.map((type) => ({ type })) })),
    })
  return (
    <FoldedForm title={say('add')} onSubmit={submit}>
      <TextField label={say('name')} required value={mfaPolicyName} onText={setName} />
      <TextField
        label={say('condition')}
        hint={say('conditionHint')}
        required
        spellcheck={false}
        value={condition}
        onText={setCondition}
      />
      {steps.map((step, at) => (
        <Ticks
          key={at}
          legend={say('oneOf', { at: at + 1 })}
          of={METHODS.map(([id, word]) => ({ id, name: say(word) }))}
          ticked={step}
          onTicked={(ids) => choose(at, ids)}
        />
      ))}
      <p class="hint">{say('once')}</p>
      <div role="status">
        {steps.map(
          (step, at) =>
            !canPass(user, step) && (
              <p key={at} class="note warn">
                {say('cannotPass', { at: at + 1 })}
              </p>
            ),
        )}
      </div>
      <div class="row">
        <button type="button" disabled={steps.length >= STEPS_MAX} onClick={() => setSteps([...steps, []])}>
          {say('more')}
        </button>
        <button type="button" disabled={steps.length === 1} onClick={() => setSteps(steps.slice(0, -1))}>
          {say('fewer')}
        </button>
        <button type="submit" class="primary" disabled={isBusy || steps.some((step) => step.length === 0)}>
          {say('create')}
        </button>
      </div>
    </FoldedForm>
  )
}
