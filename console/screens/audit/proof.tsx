import { useState } from 'preact/hooks'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Loading } from '../../parts/loading.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { toHex, utf8 } from '../../service/bytes.ts'
import type { Session } from '../../session/session.ts'
import type { AuditRecord } from './records.ts'
import { say } from './words.ts'

type Proving = { readonly session: Session; readonly record: AuditRecord }

/** Facts of a record that can be compared, once somebody wants them. */
export function Proof({ session, record }: Proving) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="whole" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{say('facts')}</summary>
      {isOpen && <Computed session={session} record={record} />}
    </details>
  )
}

function Computed({ session, record: { activityId, fingerprint } }: Proving) {
  const loaded = useLoaded(() => fingerprintIn(session, activityId), [session, activityId])
  return (
    <>
      <Loading of={loaded}>
        {(computed) => (
          <>
            <Facts
              of={[
                [say('id'), <Id key="id" of={activityId} />],
                [say('fingerprint'), computed !== undefined && <Id key="fingerprint" of={computed} />],
              ]}
            />
            {computed === undefined ? (
              <p class="note warn">{say('noBytes')}</p>
            ) : (
              <p class={computed === fingerprint ? 'note good' : 'note bad'}>
                {say(computed === fingerprint ? 'same' : 'other')}
              </p>
            )}
          </>
        )}
      </Loading>
      <p>
        <a href={pathTo('activities', activityId)}>{say('whole')}</a>
      </p>
    </>
  )
}

/** The fingerprint of the bytes that came with the first vote, computed here; undefined where they were not kept. */
async function fingerprintIn(session: Session, activityId: string): Promise<string | undefined> {
  const activity = (await session.query('get_activity', { activityId })).object('activity')
  const message = activity.list('votes')[0]?.textOrNone('message') ?? ''
  if (message === '') return undefined
  return `sha256:${toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(message))))}`
}
