import { useState } from 'preact/hooks'
import { FoldedForm } from '../../parts/form.tsx'
import { Id } from '../../parts/id.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { TextField } from '../../parts/text-field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { nobody, parametersOf, type RootUser, RootUserFields } from './root-user.tsx'
import { say } from './words.ts'

const ROOT_USERS_MAX = 10

/** A sub-organization with its root users. Once it is made, they alone decide in it. */
export function NewSubOrganization({
  session,
  onMade,
}: {
  readonly session: Session
  readonly onMade: () => void
}) {
  const submitting = useSubmit()
  const [subOrganizationName, setName] = useState('')
  const [users, setUsers] = useState<readonly RootUser[]>([nobody])
  const [rootQuorumThreshold, setThreshold] = useState(1)
  const rootUsers = users.flatMap((user) => parametersOf(user) ?? [])
  const isReachable = rootQuorumThreshold >= 1 && rootQuorumThreshold <= users.length
  const submit = (): void =>
    submitting.run(
      () =>
        session.submit('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
          subOrganizationName,
          rootQuorumThreshold,
          rootUsers,
        }),
      () => {
        setName('')
        setUsers([nobody])
        setThreshold(1)
        onMade()
      },
    )
  return (
    <FoldedForm title={say('add')} onSubmit={submit}>
      <Outcome of={submitting} />
      <Made activity={submitting.activity} />
      <p>{say('addWhy')}</p>
      <TextField label={say('newName')} required value={subOrganizationName} onText={setName} />
      {users.map((user, at) => (
        <RootUserFields
          // Rows are only added behind and taken from there.
          key={at}
          number={at + 1}
          of={user}
          organizationName={subOrganizationName}
          onChange={(changed) => setUsers(users.with(at, changed))}
        />
      ))}
      <div class="row">
        {users.length < ROOT_USERS_MAX && (
          <button type="button" onClick={() => setUsers([...users, nobody])}>
            {say('moreUsers')}
          </button>
        )}
        {users.length > 1 && (
          <button type="button" onClick={() => setUsers(users.slice(0, -1))}>
            {say('fewerUsers')}
          </button>
        )}
      </div>
      <TextField
        label={say('threshold')}
        type="number"
        min={1}
        max={users.length}
        value={String(rootQuorumThreshold)}
        onText={(text) => setThreshold(Math.trunc(Number(text)) || 0)}
      />
      <Reach threshold={rootQuorumThreshold} count={users.length} />
      <button
        type="submit"
        class="primary"
        disabled={submitting.isBusy || !isReachable || rootUsers.length < users.length}
      >
        {say('create')}
      </button>
    </FoldedForm>
  )
}

/** What such a quorum means for the root users. */
function Reach({ threshold, count }: { readonly threshold: number; readonly count: number }) {
  const word =
    threshold < 1 || threshold > count
      ? 'outOfReach'
      : count > 1 && threshold === count
        ? 'noSpare'
        : count > 1 && threshold === 1
          ? 'each'
          : undefined
  if (word === undefined) return null
  return (
    <p class={`note ${word === 'outOfReach' ? 'bad' : 'warn'}`} role="status">
      {say(word)}
    </p>
  )
}

/** Where the new organization is found: a passkey that was made before it had an id does not know it. */
function Made({ activity }: { readonly activity: Answered | undefined }) {
  const result = activity?.object('result')
  if (result?.has('createSubOrganizationResultV8') !== true) return null
  const id = result.object('createSubOrganizationResultV8').text('subOrganizationId')
  return (
    <p>
      {say('made')}{' '}
      <a href={pathTo('sub-organizations', id)}>
        <Id of={id} />
      </a>
    </p>
  )
}
