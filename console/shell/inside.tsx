import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Guarded } from '../parts/guarded.tsx'
import { Loading } from '../parts/loading.tsx'
import { pathTo } from '../parts/path-to.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { useRoute } from '../parts/use-route.ts'
import { screens } from '../screens/list.ts'
import type { Screen, ScreenProps } from '../screens/screen.ts'
import { say as title } from '../screens/words.ts'
import type { Session } from '../session/session.ts'
import { language } from '../words/language.ts'
import { shortId } from '../words/plain-text.ts'
import { LanguageChoice } from './language-choice.tsx'
import { RecoveryNotice } from './recovery-notice.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { say } from './words.ts'

/** The screens, under one head and beside one menu. */
export function Inside({ session, leave }: { readonly session: Session; readonly leave: () => void }) {
  const [path = screens[0]?.path, ...rest] = useRoute()
  const place = [path, ...rest].join('/')
  const main = useRef<HTMLElement>(null)
  const screen = screens.find((one) => one.path === path)
  useEffect(() => {
    document.title = `${screen === undefined ? say('nowhere') : title(screen.path)} · ${say('product')}`
  }, [place, language()])
  useKeptFocus(main)
  // A screen reader begins with the heading of the new screen.
  useLayoutEffect(() => main.current?.focus(), [place])
  // Narrow, the menu scrolls sideways.
  useLayoutEffect(() => document.querySelector('nav [aria-current]')?.scrollIntoView(MIDDLE), [path])
  return (
    <>
      <header class="top">
        <a class="skip" href={`#/${place}`} onClick={() => main.current?.focus()}>
          {say('skip')}
        </a>
        <span class="brand">{say('product')}</span>
        <span class="who">
          {say('who', { user: session.userName, organization: session.organizationName })}
          {shortId(session.organizationId)}
        </span>
        <LanguageChoice />
        <button type="button" onClick={leave}>
          {say('signOut')}
        </button>
      </header>
      <Guarded>
        <RecoveryNotice session={session} place={place} />
      </Guarded>
      <div class="frame">
        <nav class="nav" aria-label={say('menu')}>
          <ul>
            {screens.map((one) => (
              <li key={one.path}>
                <a href={pathTo(one.path)} aria-current={one.path === path ? 'page' : undefined}>
                  {title(one.path)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main ref={main} tabIndex={-1}>
          <Guarded key={place}>
            {screen === undefined ? <Nowhere /> : <Shown screen={screen} session={session} rest={rest} />}
          </Guarded>
        </main>
      </div>
    </>
  )
}

const MIDDLE = { block: 'nearest', inline: 'center' } as const

function Shown({ screen, ...shown }: ScreenProps & { readonly screen: Screen }) {
  const loaded = useLoaded(async () => ({ View: await screen.load() }), [screen])
  return <Loading of={loaded}>{({ View }) => <View {...shown} />}</Loading>
}

function Nowhere() {
  return (
    <>
      <h1>{say('nowhere')}</h1>
      <p>{say('nowhereLong')}</p>
    </>
  )
}
