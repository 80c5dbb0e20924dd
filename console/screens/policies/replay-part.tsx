import { useState } from 'preact/hooks'
import { pathTo } from '../../parts/path-to.ts'
import { Problem } from '../../parts/problem.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { Session } from '../../session/session.ts'
import { plainText } from '../../words/plain-text.ts'
import { type Replay, replay } from './replay.ts'
import { draftOf, type Written } from './terms.ts'
import { Verdict } from './verdict.tsx'
import { say } from './words.ts'

type ReplayProps = { readonly session: Session; readonly written: readonly Written[] }

/** What would these policies have changed, had they been there for the last thousand activities. */
export function ReplayPart({ session, written }: ReplayProps) {
  const [count, setCount] = useState(0)
  const [found, setFound] = useState<(Replay & { readonly of: string }) | undefined>(undefined)
  const { isBusy, error, run } = useAction()
  const draft = draftOf(written)
  const replayed = (): void =>
    run(async () => {
      setCount(0)
      setFound(undefined)
      setFound({ ...(await replay(session, draft, setCount)), of: JSON.stringify(draft) })
    })
  return (
    <>
      <h2>{say('replay')}</h2>
      <p class="hint">{say('replayHint')}</p>
      <button type="button" disabled={isBusy} onClick={replayed}>
        {say('replayIt')}
      </button>
      {isBusy && (
        <p class="busy" role="status">
          {say('replaying', { count })}
        </p>
      )}
      {error !== undefined && <Problem error={error} />}
      {found !== undefined && found.of === JSON.stringify(draft) && <Found of={found} />}
    </>
  )
}

function Found({ of: { replayed, unclear, differences } }: { readonly of: Replay }) {
  return (
    <>
      <p role="status">
        {say('replayed', { count: replayed, changed: differences.length })}{' '}
        {unclear > 0 && say('unclear', { count: unclear })}
      </p>
      <ul class="cards">
        {differences.map(({ activityId, type, before, after }) => (
          <li key={activityId}>
            <a href={pathTo('activities', activityId)}>{plainText(type)}</a>
            <span>
              <Verdict of={before} /> {'→'} <Verdict of={after} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
