import { Loading } from '../../parts/loading.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { ScreenProps } from '../screen.ts'
import { namesOf } from './names-of.ts'
import { PolicyList } from './policy-list.tsx'
import { NEW_ID, TEMPLATES_PATH } from './terms.ts'
import { say as title } from '../words.ts'
import { say } from './words.ts'

/** What the organization allows and denies, and how that is changed. */
export function Policies({ session, rest: [policyId, template] }: ScreenProps) {
  const loaded = useLoaded(async () => {
    const [answer, configs, names, { language }, screen] = await Promise.all([
      session.query('list_policies'),
      session.query('get_organization_configs'),
      namesOf(session),
      import('./editor.ts'),
      policyId === undefined ? undefined : screenOf(policyId),
    ])
    const features = configs.object('configs').listOrNone('features')
    return {
      all: answer.list('policies'),
      hasGuard: features.some((feature) => feature.text('name') === 'FEATURE_NAME_RAW_SIGNING_GUARD'),
      names,
      language,
      screen,
    }
  }, [session, policyId])
  return (
    <>
      <h1>{headingOf(policyId)}</h1>
      <p class="hint">{say('named')}</p>
      <Loading of={loaded}>
        {({ screen, ...ground }) => {
          if (screen === undefined) return <PolicyList ground={ground} />
          if ('Templates' in screen)
            return <screen.Templates key={template} session={session} name={template} ground={ground} />
          return (
            policyId && (
              <screen.OnePolicy session={session} policyId={policyId} ground={ground} again={loaded.again} />
            )
          )
        }}
      </Loading>
    </>
  )
}

/** Templates and the editor are loaded each for itself. */
async function screenOf(policyId: string) {
  return policyId === TEMPLATES_PATH
    ? await import('./templates/templates.tsx')
    : await import('./later/one-policy.tsx')
}

function headingOf(policyId: string | undefined): string {
  if (policyId === undefined) return title('policies')
  if (policyId === TEMPLATES_PATH) return say('templates')
  return say(policyId === NEW_ID ? 'new' : 'one')
}
