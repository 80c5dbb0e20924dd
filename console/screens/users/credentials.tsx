import { Cards } from '../../parts/cards.tsx'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Name } from '../../parts/name.tsx'
import { moment } from '../../words/moment.ts'
import type { Credential } from './credential.ts'
import { LastUse, type LastUses } from './last-use.tsx'
import { say } from './words.ts'

type Listed = {
  readonly of: readonly Credential[]
  /** Undefined where the service notes no days, or has not told them. */
  readonly days: LastUses
  readonly isBusy: boolean
  /** What has to be known before this one is deleted. */
  readonly warning: (id: string) => string
  readonly isRefused: (id: string) => boolean
  readonly onRemove: (id: string) => void
}

/** Ways in of one kind, each with what tells it from others. */
export function Credentials({ of, days, isBusy, warning, isRefused, onRemove }: Listed) {
  return (
    <Cards of={of} none={say('none')}>
      {(one) => (
        <li key={one.id}>
          <span>
            <Name of={one.name} /> {one.isSession && <span class="badge">{say('session')}</span>}
          </span>
          <Confirmed
            label={say('remove')}
            isBusy={isBusy}
            isRefused={isRefused(one.id)}
            onConfirmed={() => onRemove(one.id)}
          >
            <p>{warning(one.id)}</p>
          </Confirmed>
          <span class="faint">
            {one.details.map((detail) => (
              <span key={detail} class="id">
                <Name of={detail} />{' '}
              </span>
            ))}
            {one.details.length > 0 && <br />}
            {moment(one.createdAt)} {' · '}
            {endOf(one.endsAt)}
            {!one.isSession && days !== undefined && (
              <>
                {' · '}
                {say('lastUse')}: <LastUse day={days.get(one.id)} />
              </>
            )}
          </span>
        </li>
      )}
    </Cards>
  )
}

function endOf(endsAt: number | undefined): string {
  if (endsAt === undefined) return say('lasting')
  return say(endsAt > Date.now() ? 'ends' : 'ended', { at: moment(endsAt) })
}
