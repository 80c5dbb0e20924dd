import { useEffect, useState } from 'preact/hooks'
import { Loading } from '../parts/loading.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import type { Session } from '../session/session.ts'
import { keptSession, signOut } from '../session/sign-in.ts'
import { SignIn } from '../screens/sign-in/sign-in.tsx'
import { Inside } from './inside.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { say } from './words.ts'

/** Everything that is shown: the way in, or the screens of somebody who has signed in. */
export function Page() {
  const [session, setSession] = useState<Session | undefined>(undefined)
  const [hasEnded, setEnded] = useState(false)
  const kept = useLoaded(async () => {
    // Elsewhere browsers have no keys to offer.
    if (isSecureContext) setSession(await keptSession().catch(forgotten))
  }, [])
  const leave = (ended: boolean): void => {
    setSession(undefined)
    setEnded(ended)
    location.hash = ''
    signOut().catch(reportError)
  }
  useEffect(() => {
    if (session === undefined) return
    const timer = setTimeout(() => leave(true), Math.min(session.expiresAt - Date.now(), TIMER_MS_MAX))
    return () => clearTimeout(timer)
  }, [session])
  if (session !== undefined) return <Inside session={session} leave={() => leave(false)} />
  return (
    <>
      <header class="top">
        <span class="brand">{say('product')}</span>
        <span class="who" />
        <LanguageChoice />
      </header>
      <main class="alone">
        {hasEnded && (
          <p class="note warn" role="status">
            {say('ended')}
          </p>
        )}
        {isSecureContext ? (
          <Loading of={kept}>{() => <SignIn onSession={setSession} />}</Loading>
        ) : (
          <p class="note bad">{say('insecure')}</p>
        )}
      </main>
    </>
  )
}

/** A session that the service does not know any more is none. */
async function forgotten(): Promise<undefined> {
  await signOut()
  return undefined
}

/** Longer ones run at once (HTML, 8.6: a signed number of 32 bits). */
const TIMER_MS_MAX = 2 ** 31 - 1
