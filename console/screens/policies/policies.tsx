import { Loading } from '../../parts/loading.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { ScreenProps } from '../screen.ts'
import { OnePolicy } from './one-policy.tsx'
import { PolicyList } from './policy-list.tsx'
import { say as title } from '../words.ts'
import { say } from './words.ts'

const NEW_POLICY = 'new'

/** What the organization allows and denies, and how that is changed. */
export function Policies({ session, rest: [policyId] }: ScreenProps) {
  const loaded = useLoaded(async () => {
    const [answer, { language }] = await Promise.all([session.query('list_policies'), import('./editor.ts')])
    return { all: answer.list('policies'), language }
  }, [session, policyId])
  return (
    <>
      <h1>{policyId === undefined ? title('policies') : say(policyId === NEW_POLICY ? 'new' : 'one')}</h1>
      <Loading of={loaded}>
        {({ all, language }) =>
          policyId === undefined ? (
            <PolicyList all={all} language={language} />
          ) : (
            <OnePolicy session={session} policyId={policyId} all={all} language={language} />
          )
        }
      </Loading>
    </>
  )
}
