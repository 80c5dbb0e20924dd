import { useState } from 'preact/hooks'
import { Field } from '../../../parts/field.tsx'
import { plainText } from '../../../words/plain-text.ts'
import { mistakeIn } from '../check-terms.ts'
import { completionsAt, type Part } from '../completions.ts'
import { MarkedExcerpt } from '../marked-excerpt.tsx'
import { say as sayOfPolicies } from '../words.ts'
import { say } from './words.ts'

/** An expression as it is typed: what is wrong with it, where, and what may come next. */
export function ExpressionField({
  part,
  text,
  onText,
}: {
  readonly part: Part
  readonly text: string
  readonly onText: (text: string) => void
}) {
  const [caret, setCaret] = useState(0)
  const mistake = mistakeIn(part, text)
  const { from, names } = completionsAt(part, text, caret)
  return (
    <Field label={sayOfPolicies(part)} hint={say(`${part}Hint`)}>
      {(attributes) => {
        const moved = (): void => {
          const field = document.getElementById(attributes.id)
          if (field instanceof HTMLTextAreaElement) setCaret(field.selectionEnd)
        }
        const complete = (name: string): void => {
          onText(text.slice(0, from) + name + text.slice(caret))
          setCaret(from + name.length)
          document.getElementById(attributes.id)?.focus()
        }
        return (
          <>
            <textarea
              {...attributes}
              spellcheck={false}
              aria-invalid={mistake !== undefined}
              value={text}
              onInput={(event) => {
                onText(event.currentTarget.value)
                setCaret(event.currentTarget.selectionEnd)
              }}
              onKeyUp={moved}
              onClick={moved}
            />
            {names.length > 0 && (
              <div class="row" role="group" aria-label={say('completions')}>
                {names.map((name) => (
                  <button key={name} type="button" onClick={() => complete(name)}>
                    {name}
                  </button>
                ))}
              </div>
            )}
            <div role="status">
              {mistake !== undefined && (
                <p class="note bad">
                  <span lang="en">{plainText(mistake.message)}</span>{' '}
                  {mistake.start !== undefined && <MarkedExcerpt text={text} {...mistake} />}
                </p>
              )}
            </div>
          </>
        )
      }}
    </Field>
  )
}
