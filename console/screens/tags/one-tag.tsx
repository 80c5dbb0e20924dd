import { useState } from 'preact/hooks'
import { BackTo } from '../../parts/back-to.tsx'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Form } from '../../parts/form.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { TextField } from '../../parts/text-field.tsx'
import { Ticks } from '../../parts/ticks.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import { type Submitting, useSubmit } from '../../parts/use-submit.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { policiesNaming, type TagChange, type TagKind, type Tagged, tagged } from './kinds.ts'
import { say } from './words.ts'

type Showing = { readonly session: Session; readonly kind: TagKind; readonly tagId: string }

/** A tag: its name, what carries it, and the policies that speak of it. */
export function OneTag({ session, kind, tagId }: Showing) {
  const submitting = useSubmit()
  const loaded = useLoaded(() => tagged(session, kind), [session, kind])
  const [count, setCount] = useState(0)
  const change = (changed: TagChange): void =>
    submitting.run(
      () => session.submit(...kind.update(tagId, changed)),
      () => {
        loaded.again()
        setCount(count + 1)
      },
    )
  return (
    <Loading of={loaded}>
      {(found) => {
        const tag = found.tags.find((one) => one.text('tagId') === tagId)
        const naming = policiesNaming(found.policies, tagId)
        return (
          <>
            <h1>{tag === undefined ? say('gone') : <Name of={tag.text('tagName')} />}</h1>
            <BackTo path="tags" label={say('back')} />
            <Outcome of={submitting} />
            {tag !== undefined && (
              <>
                <Naming policies={naming} />
                <Carriers
                  key={`${count} ${tag.text('tagName')} ${carriersOf(found, tagId).join()}`}
                  tag={tag}
                  found={found}
                  submitting={submitting}
                  onChange={change}
                />
                <Confirmed
                  label={say('remove')}
                  isBusy={submitting.isBusy}
                  onConfirmed={() =>
                    submitting.run(() => session.submit(...kind.remove(tagId)), loaded.again)
                  }
                >
                  <p>{say('removeWhy')}</p>
                  {naming.some((policy) => policy.text('effect') === 'EFFECT_DENY') && (
                    <p>{say('deniesNoMore')}</p>
                  )}
                </Confirmed>
              </>
            )}
          </>
        )
      }}
    </Loading>
  )
}

function Naming({ policies }: { readonly policies: readonly Answered[] }) {
  if (policies.length === 0) return <p>{say('unnamed')}</p>
  return (
    <>
      <p>{say('named')}</p>
      <ul>
        {policies.map((policy) => (
          <li key={policy.text('policyId')}>
            <a href={pathTo('policies', policy.text('policyId'))}>
              <Name of={policy.text('policyName')} id={policy.text('policyId')} />
            </a>{' '}
            {policy.text('effect') === 'EFFECT_DENY' && <span class="badge bad">{say('denies')}</span>}
          </li>
        ))}
      </ul>
    </>
  )
}

type Changing = {
  readonly tag: Answered
  readonly found: Tagged
  readonly submitting: Submitting
  readonly onChange: (change: TagChange) => void
}

/** Everything that could carry the tag, to be ticked; what is sent is only what differs. */
function Carriers({ tag, found, submitting, onChange }: Changing) {
  const before = carriersOf(found, tag.text('tagId'))
  const [name, setName] = useState(tag.text('tagName'))
  const [ticked, setTicked] = useState(before)
  const add = ticked.filter((id) => !before.includes(id))
  const remove = before.filter((id) => !ticked.includes(id))
  const renamed = name === tag.text('tagName') ? undefined : name
  const isUnchanged = renamed === undefined && add.length + remove.length === 0
  return (
    <Form onSubmit={() => onChange({ name: renamed, add, remove })}>
      <TextField label={say('name')} required value={name} onText={setName} />
      {found.carriers.length === 0 ? (
        <p>{say('nothingToTag')}</p>
      ) : (
        <Ticks legend={say('carriedBy')} of={found.carriers} ticked={ticked} onTicked={setTicked} />
      )}
      {add.length + remove.length > 0 && (
        <p role="status">{say('changes', { added: add.length, removed: remove.length })}</p>
      )}
      <p>
        <button type="submit" class="primary" disabled={submitting.isBusy || isUnchanged}>
          {say('save')}
        </button>
      </p>
    </Form>
  )
}

function carriersOf({ carriers }: Tagged, tagId: string): readonly string[] {
  return carriers.filter(({ tagIds }) => tagIds.includes(tagId)).map(({ id }) => id)
}
