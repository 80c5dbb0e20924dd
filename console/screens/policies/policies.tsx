import { Loading } from '../../parts/loading.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { ScreenProps } from '../screen.ts'
import { OnePolicy } from './one-policy.tsx'
import { PolicyList } from './policy-list.tsx'
import { NEW_ID } from './terms.ts'
import { say as title } from '../words.ts'
import { say } from './words.ts'

/** What the organization allows and denies, and how that is changed. */
export function Policies({ session, rest: [policyId] }: ScreenProps) {
  const loaded = useLoaded(async () => {
    const [answer, configs, { language }] = await Promise.all([
      session.query('list_policies'),
      session.query('get_organization_configs'),
      import('./editor.ts'),
    ])
    const features = configs.object('configs').listOrNone('features')
    return {
      all: answer.list('policies'),
      hasGuard: features.some((feature) => feature.text('name') === 'FEATURE_NAME_RAW_SIGNING_GUARD'),
      language,
    }
  }, [session, policyId])
  return (
    <>
      <h1>{policyId === undefined ? title('policies') : say(policyId === NEW_ID ? 'new' : 'one')}</h1>
      <Loading of={loaded}>
        {({ all, hasGuard, language }) =>
          policyId === undefined ? (
            <PolicyList all={all} language={language} />
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
