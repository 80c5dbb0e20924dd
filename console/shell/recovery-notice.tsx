import { useEffect, useRef } from 'preact/hooks'
import { Loading } from '../parts/loading.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import type { Answered } from '../service/answered.ts'
import type { Session } from '../session/session.ts'
import { useKeptFocus } from './use-kept-focus.ts'

const ATTEMPT = 'FEATURE_NAME_ORGANIZATION_RECOVERY_ATTEMPT'
/** A page may stay open on one screen; the delay of a recovery is of days. */
const LOOK_EVERY_MS = 10 * 60 * 1_000

/** Looks on each screen whether a recovery of the organization is under way. What says so is loaded when there is one. */
export function RecoveryNotice({ session, place }: { readonly session: Session; readonly place: string }) {
  const { state, again } = useLoaded(
    async () => (await session.query('get_organization_configs')).object('configs'),
    [session, place],
  )
  useEffect(() => {
    const timer = setInterval(again, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [session])
  // The screen says itself what cannot be asked.
  if (state.kind !== 'loaded' || !isUnderWay(state.value)) return null
  return <Shown session={session} configs={state.value} />
}

function isUnderWay(configs: Answered): boolean {
  return configs.listOrNone('serviceFeatures').some((feature) => feature.text('name') === ATTEMPT)
}

function Shown(showing: { readonly session: Session; readonly configs: Answered }) {
  const loaded = useLoaded(
    async () => ({ View: (await import('../screens/recovery/recovery.tsx')).Recovery }),
    [],
  )
  const notice = useRef<HTMLDivElement>(null)
  useKeptFocus(notice)
  return (
    <div ref={notice} tabIndex={-1}>
      <Loading of={loaded}>{({ View }) => <View {...showing} />}</Loading>
    </div>
  )
}
