import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import '../parts/most-used.ts'
import { Loading } from '../parts/loading.tsx'
import { pathTo } from '../parts/path-to.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { useRoute } from '../parts/use-route.ts'
import { onSignedOutElsewhere, tellSignedOut } from '../session/other-tabs.ts'
import type { Session } from '../session/session.ts'
import { keptSession, signOut } from '../session/sign-in.ts'
import { SignIn } from '../screens/sign-in/sign-in.tsx'
import { Inside } from './inside.tsx'
import { language, onLanguage } from '../words/language.ts'
import { LanguageChoice } from './language-choice.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { say } from './words.ts'

/** How the last session ended: by its time, or because somebody signed out, here or in another tab. */
type Left = 'never' | 'itself' | 'asked' | 'elsewhere'

/**
 * Everything that is shown: the way in, or the screens of somebody who has signed in. `#/key/ORGANIZATION/approvals/ID` asks for an API
 * key, also where somebody is signed in, and goes on to what follows the organization: a link may name everything but the key.
 */
export function Page() {
  const [session, setSession] = useState<Session | undefined>(undefined)
  const [left, setLeft] = useState<Left>('never')
  const [, setWords] = useState(language())
  const kept = useLoaded(async () => {
    // Elsewhere browsers have no keys to offer.
    if (!isSecureContext) return
    let found = keptSession().catch(forgotten)
    const stopListening = onSignedOutElsewhere(() => {
      found = forgotten()
    })
    await found
    // Another one by now, if the session was ended in another tab.
    setSession(await found)
    stopListening()
  }, [])
  const [place, wanted, ...rest] = useRoute()
  const isKeyAsked = place === 'key'
  const enter = (entered: Session): void => {
    if (isKeyAsked) location.replace(pathTo(...rest))
    setSession(entered)
  }
  const leave = async (how: Left): Promise<void> => {
    // First of all: a page that shows the way in may be closed, and a page that closes does nothing any more.
    await signOut().catch(reportError)
    if (how === 'asked') tellSignedOut()
    setSession(undefined)
    setLeft(how)
    location.hash = ''
  }
  useEffect(() => onLanguage(() => setWords(language())), [])
  // A layout effect: it listens before another task could bring the message of another tab.
  useLayoutEffect(() => {
    if (session === undefined) return
    const timer = setInterval(() => Date.now() >= session.expiresAt && leave('itself'), LOOK_EVERY_MS)
    const stopListening = onSignedOutElsewhere(() => leave('elsewhere'))
    return () => {
      clearInterval(timer)
      stopListening()
    }
  }, [session])
  if (session !== undefined && !isKeyAsked) return <Inside session={session} leave={() => leave('asked')} />
  return (
    <Outside left={left}>
      {left === 'itself' && (
        <p class="note warn" role="status">
          {say('ended')}
        </p>
      )}
      {isSecureContext ? (
        <Loading of={kept}>
          {() => <SignIn key={wanted} onSession={enter} keyOf={isKeyAsked ? wanted : undefined} />}
        </Loading>
      ) : (
        <p class="note bad">{say('insecure')}</p>
      )}
    </Outside>
  )
}

/** The page of those who have not signed in, or not any more. */
function Outside({ left, children }: { readonly left: Left; readonly children: ComponentChildren }) {
  const main = useRef<HTMLElement>(null)
  useKeptFocus(main)
  // The button that led here is gone.
  useLayoutEffect(() => {
    if (left !== 'never') main.current?.focus()
  }, [])
  return (
    <>
      <header class="top">
        <span class="brand">{say('product')}</span>
        <span class="who" />
        <LanguageChoice />
      </header>
      <main ref={main} class="alone" tabIndex={-1}>
        {children}
      </main>
    </>
  )
}

/** A session that the service does not know any more is none, nor one that was ended in another tab. */
async function forgotten(): Promise<undefined> {
  await signOut()
  return undefined
}

/** A session ends by the time of day: timers stand still while a machine is asleep. */
const LOOK_EVERY_MS = 5_000
