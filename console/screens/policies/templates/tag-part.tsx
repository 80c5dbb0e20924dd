import { useState } from 'preact/hooks'
import { FoldedForm } from '../../../parts/form.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { TextField } from '../../../parts/text-field.tsx'
import { Ticks } from '../../../parts/ticks.tsx'
import { useLoaded } from '../../../parts/use-loaded.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import type { Answered } from '../../../service/answered.ts'
import type { Session } from '../../../session/session.ts'
import { called } from '../../../words/plain-text.ts'
import { say } from './words.ts'

type TagProps = {
  readonly session: Session
  readonly tagId: string
  /** A tag was made. */
  readonly onMade: (tagId: string) => void
}

/** Who has the tag that was chosen, and a way to make another one without leaving what is filled in. */
export function TagPart({ session, tagId, onMade }: TagProps) {
  const { state, again } = useLoaded(async () => (await session.query('list_users')).list('users'), [session])
  const users = state.kind === 'loaded' ? state.value : []
  return (
    <>
      {tagId !== '' && state.kind === 'loaded' && <Holders users={users} tagId={tagId} />}
      <NewTag
        session={session}
        users={users}
        onMade={(made) => {
          again()
          onMade(made)
        }}
      />
    </>
  )
}

function Holders({ users, tagId }: { readonly users: readonly Answered[]; readonly tagId: string }) {
  const names = users
    .filter((user) => user.texts('userTags').includes(tagId))
    .map((user) => called(user.text('userName'), user.text('userId')))
  if (names.length === 0) return <p class="note warn">{say('nobodyHasTag')}</p>
  return <p class="hint">{say('hasTag', { names: names.join(', ') })}</p>
}

function NewTag({
  session,
  users,
  onMade,
}: Omit<TagProps, 'tagId'> & { readonly users: readonly Answered[] }) {
  const submitting = useSubmit()
  const [userTagName, setName] = useState('')
  const [userIds, setUserIds] = useState<readonly string[]>([])
  const submit = (): void =>
    submitting.run(async () => {
      const activity = await session.submit('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds })
      const result = activity.object('result')
      setName('')
      setUserIds([])
      // It may wait for others first.
      if (result.has('createUserTagResult')) onMade(result.object('createUserTagResult').text('userTagId'))
      return activity
    })
  return (
    <FoldedForm title={say('newTag')} onSubmit={submit}>
      <Outcome of={submitting} />
      <TextField label={say('tagName')} required value={userTagName} onText={setName} />
      <Ticks
        legend={say('tagUsers')}
        of={users.map((user) => ({ id: user.text('userId'), name: user.text('userName') }))}
        ticked={userIds}
        onTicked={setUserIds}
      />
      <button type="submit" disabled={submitting.isBusy}>
        {say('makeTag')}
      </button>
    </FoldedForm>
  )
}
