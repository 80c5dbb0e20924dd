import { Loading } from '../../parts/loading.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { ScreenProps } from '../screen.ts'
import { OnePolicy } from './one-policy.tsx'
import { PolicyList } from './policy-list.tsx'
import { NEW_ID, TEMPLATES_PATH } from './terms.ts'
import { say as title } from '../words.ts'
import { say } from './words.ts'

/** What the organization allows and denies, and how that is changed. */
export function Policies({ session, rest: [policyId, template] }: ScreenProps) {
  const loaded = useLoaded(async () => {
    const [answer, configs, { language }, templates] = await Promise.all([
      session.query('list_policies'),
      session.query('get_organization_configs'),
      import('./editor.ts'),
      policyId === TEMPLATES_PATH ? import('./templates/templates.tsx') : undefined,
    ])
    const features = configs.object('configs').listOrNone('features')
    return {
      all: answer.list('policies'),
      hasGuard: features.some((feature) => feature.text('name') === 'FEATURE_NAME_RAW_SIGNING_GUARD'),
      language,
      templates,
    }
  }, [session, policyId])
  return (
    <>
      <h1>{headingOf(policyId)}</h1>
      <Loading of={loaded}>
        {({ all, hasGuard, language, templates }) =>
          policyId === undefined ? (
            <PolicyList all={all} language={language} />
          ) : policyId === TEMPLATES_PATH ? (
            templates && (
              <templates.Templates
                key={template}
                session={session}
                name={template}
                ground={{ all, hasGuard, language }}
              />
            )
          ) : (
            <OnePolicy
              session={session}
              policyId={policyId}
              all={all}
              hasGuard={hasGuard}
              language={language}
            />
          )
        }
      </Loading>
    </>
  )
}

function headingOf(policyId: string | undefined): string {
  if (policyId === undefined) return title('policies')
  if (policyId === TEMPLATES_PATH) return say('templates')
  return say(policyId === NEW_ID ? 'new' : 'one')
}
