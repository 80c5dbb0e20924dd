import { useState } from 'preact/hooks'
import { Cards } from '../../parts/cards.tsx'
import { Form } from '../../parts/form.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { TextField } from '../../parts/text-field.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Session } from '../../session/session.ts'
import { type TagKind, tagged } from './kinds.ts'
import { say } from './words.ts'

type Listing = { readonly session: Session; readonly kind: TagKind }

/** The tags of one kind, each with how many carry it, and a new one. */
export function TagList({ session, kind }: Listing) {
  const loaded = useLoaded(() => tagged(session, kind), [session, kind])
  return (
    <section>
      <h2>{say(kind.path)}</h2>
      <Loading of={loaded}>
        {({ tags, carriers }) => (
          <Cards of={tags} none={say('none')}>
            {(tag) => {
              const tagId = tag.text('tagId')
              const count = carriers.filter(({ tagIds }) => tagIds.includes(tagId)).length
              return (
                <li key={tagId}>
                  <a href={pathTo('tags', kind.path, tagId)}>
                    <Name of={tag.text('tagName')} id={tagId} />
                  </a>
                  <span class="badge">{say('carriers', { count })}</span>
                </li>
              )
            }}
          </Cards>
        )}
      </Loading>
      <NewTag session={session} kind={kind} onMade={loaded.again} />
    </section>
  )
}

function NewTag({ session, kind, onMade }: Listing & { readonly onMade: () => void }) {
  const submitting = useSubmit()
  const [name, setName] = useState('')
  const submit = (): void =>
    submitting.run(
      () => session.submit(...kind.create(name, [])),
      () => {
        setName('')
        onMade()
      },
    )
  return (
    <Form class="row" onSubmit={submit}>
      <TextField
        label={say(kind.path === 'users' ? 'newOfUsers' : 'newOfKeys')}
        required
        value={name}
        onText={setName}
      />
      <button type="submit" disabled={submitting.isBusy}>
        {say('create')}
      </button>
      <Outcome of={submitting} />
    </Form>
  )
}
