import { Loading } from '../../parts/loading.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Screen, ScreenProps } from '../screen.ts'
import { OnePolicy } from './one-policy.tsx'
import { PolicyList } from './policy-list.tsx'
import { say } from './words.ts'

/** What the organization allows and denies, and how that is changed. */
export const policies: Screen = { path: 'policies', title: () => say('title'), View: Policies }

const NEW_POLICY = 'new'

function Policies({ session, rest: [policyId] }: ScreenProps) {
  const loaded = useLoaded(async () => {
    const [answer, { language }] = await Promise.all([session.query('list_policies'), import('./editor.ts')])
    return { all: answer.list('policies'), language }
  }, [session, policyId])
  return (
    <>
      <h1>{say(policyId === undefined ? 'title' : policyId === NEW_POLICY ? 'new' : 'one')}</h1>
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
