import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { Loading } from '../../../parts/loading.tsx'
import { pathTo } from '../../../parts/path-to.ts'
import { TextField } from '../../../parts/text-field.tsx'
import { useLoaded } from '../../../parts/use-loaded.ts'
import type { Session } from '../../../session/session.ts'
import { NEW, TEMPLATES_PATH, type Terms } from '../terms.ts'
import { choicesFor } from './choices.ts'
import { FieldOf } from './field-of.tsx'
import type { Ground } from '../ground.ts'
import type { Made, Template, Typed } from './list.ts'
import { MadePolicies } from './made-policies.tsx'
import { TagPart } from './tag-part.tsx'
import { say } from './words.ts'

/** The fields of a template, and the policies that follow from what is in them. */
export function OneTemplate({
  session,
  template,
  ground,
}: {
  readonly session: Session
  readonly template: Template
  readonly ground: Ground
}) {
  const loaded = useLoaded(async () => await choicesFor(session, template.fields), [session, template])
  const [typed, setTyped] = useState<Typed>({ needed: '2' })
  const [name, setName] = useState(say(template.name))
  return (
    <>
      <p>
        <a href={pathTo('policies', TEMPLATES_PATH)}>{say('all')}</a>
      </p>
      <h2>{say(template.name)}</h2>
      <p>
        {say(`${template.name}Hint`)} {say('rootHint')}
      </p>
      <Loading of={loaded}>
        {(choices) => {
          // What is to be chosen is the first until something else is.
          const chosen = { ...choices.first, ...typed }
          const result = template.made(chosen)
          const mistakes = result.kind === 'mistakes' ? result.mistakes : {}
          return (
            <>
              <TextField label={say('name')} value={name} onText={setName} />
              {template.fields.map((field) => (
                <Fragment key={field}>
                  <FieldOf
                    field={field}
                    text={chosen[field] ?? ''}
                    mistake={mistakes[field]}
                    options={choices.options[field]}
                    onText={(text) => setTyped({ ...typed, [field]: text })}
                  />
                  {field === 'tagId' && (
                    <TagPart
                      session={session}
                      tagId={chosen.tagId ?? ''}
                      onMade={(tagId) => {
                        setTyped({ ...typed, tagId })
                        loaded.again()
                      }}
                    />
                  )}
                </Fragment>
              ))}
              {result.kind === 'policies' && (
                <MadePolicies
                  session={session}
                  made={termsOf(result.policies, name)}
                  ground={named(ground, choices.options.tagId)}
                />
              )}
            </>
          )
        }}
      </Loading>
    </>
  )
}

/** A tag that was made on the way has its name too. */
function named(ground: Ground, tags: readonly (readonly [id: string, name: string])[] = []): Ground {
  return { ...ground, names: new Map([...ground.names, ...tags]) }
}

/** As the editor has them. Several have a number behind the name, in plain letters: it is what the policies are called from then on. */
function termsOf(policies: readonly Made[], name: string): readonly Terms[] {
  return policies.map((policy, at) => ({
    ...NEW,
    ...policy,
    policyName: policies.length === 1 || name === '' ? name : `${name} (${at + 1}/${policies.length})`,
  }))
}
