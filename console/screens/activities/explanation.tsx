import { Cards } from '../../parts/cards.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { called, plainText } from '../../words/plain-text.ts'
import { ExplainedExpression } from './explained-expression.tsx'
import { type Reason, reasonOf } from './reason-of.ts'
import { say } from './words.ts'

type Names = ReadonlyMap<string, string>

/** How it was decided and by whom, and why the policies of now say what they say: each with its reason first, and every value below. */
export function Explanation({
  session,
  activity,
}: {
  readonly session: Session
  readonly activity: Answered
}) {
  const activityId = activity.text('id')
  const loaded = useLoaded(async () => {
    const [answer, policies, users] = await Promise.all([
      session.query('explain_activity', { activityId }),
      session.query('list_policies'),
      session.query('list_users'),
    ])
    return {
      judgement: answer.object('judgement'),
      names: new Map([
        ...policies.list('policies').map((one) => [one.text('policyId'), one.text('policyName')] as const),
        ...users.list('users').map((one) => [one.text('userId'), one.text('userName')] as const),
      ]),
    }
  }, [session, activityId])
  return (
    <Loading of={loaded}>
      {({ judgement, names }) => (
        <>
          <Decided activity={activity} />
          <p>
            {isDecided(activity) && say('again')} {say(decisionWord(judgement.text('decision')))}{' '}
            {!judgement.flag('asked') && say('notAsked')}
          </p>
          {judgement.list('explanations').map((explanation) => (
            <Cards
              key={explanation.path}
              of={decisiveFirst(explanation.list('policies'))}
              none={say('noPolicies')}
            >
              {(policy) => <Policy key={policy.text('policyId')} policy={policy} names={names} />}
            </Cards>
          ))}
        </>
      )}
    </Loading>
  )
}

/** What happened is no matter of the policies of now. */
function Decided({ activity }: { readonly activity: Answered }) {
  const status = activity.text('status')
  const [selection, word] =
    status === 'ACTIVITY_STATUS_REJECTED'
      ? (['VOTE_SELECTION_REJECTED', 'wasRejected'] as const)
      : (['VOTE_SELECTION_APPROVED', 'wasApproved'] as const)
  const voters = activity.list('votes').filter((vote) => vote.text('selection') === selection)
  if (voters.length === 0) return null
  const names = voters
    .map((vote) => called(vote.object('user').text('userName'), vote.text('userId')))
    .join(', ')
  return <p class={word === 'wasRejected' ? 'note bad' : 'note'}>{say(word, { names })}</p>
}

function isDecided(activity: Answered): boolean {
  return !activity.text('status').endsWith('_NEEDED')
}

function decisionWord(decision: string): 'allows' | 'lets wait' | 'denies' {
  if (decision === 'allow') return 'allows'
  return decision === 'wait' ? 'lets wait' : 'denies'
}

const OUTCOMES: {
  readonly [outcome: string]:
    | { readonly word: Parameters<typeof say>[0]; readonly tone: string; readonly order: number }
    | undefined
} = {
  OUTCOME_DENY_EXPLICIT: { word: 'deniesIt', tone: 'bad', order: 0 },
  OUTCOME_ALLOW: { word: 'allowsIt', tone: 'good', order: 1 },
  OUTCOME_REQUIRES_CONSENSUS: { word: 'needsMore', tone: 'warn', order: 2 },
  OUTCOME_TIME_INACTIVE: { word: 'inactive', tone: '', order: 3 },
  OUTCOME_DENY_IMPLICIT: { word: 'notMet', tone: '', order: 4 },
  OUTCOME_ERROR: { word: 'noValue', tone: '', order: 5 },
}

function decisiveFirst(policies: readonly Answered[]): readonly Answered[] {
  const order = (policy: Answered): number => OUTCOMES[policy.text('outcome')]?.order ?? 0
  return policies.toSorted((a, b) => order(a) - order(b))
}

function Policy({ policy, names }: { readonly policy: Answered; readonly names: Names }) {
  const id = policy.text('policyId')
  const outcome = policy.text('outcome')
  const known = OUTCOMES[outcome]
  const reason = reasonOf(policy)
  const expressions = (['condition', 'consensus', 'time'] as const).filter((name) => policy.has(name))
  return (
    <li>
      <span class="whole">
        <a href={pathTo('policies', id)}>
          <Name of={names.get(id) ?? id} id={id} />
        </a>{' '}
        <span class={`badge ${known?.tone ?? ''}`}>{known ? say(known.word) : plainText(outcome)}</span>
      </span>
      {reason !== undefined && (
        <p class="whole">
          <Why reason={reason} names={names} />
        </p>
      )}
      <details class="whole">
        <summary>{say('values')}</summary>
        <Facts
          of={[
            [say('outcome'), <code key="outcome">{plainText(outcome)}</code>],
            ...expressions.map(
              (name) =>
                [say(name), <ExplainedExpression key={name} expression={policy.object(name)} />] as const,
            ),
          ]}
        />
      </details>
    </li>
  )
}

function Why({ reason: { of, part }, names }: { readonly reason: Reason; readonly names: Names }) {
  if ('problem' in part)
    return (
      <>
        {say(`${of} has no value`)}{' '}
        <span lang="en">{plainText(part.problem.replace(/ \(at \d+:\d+\)$/, ''))}</span>
      </>
    )
  const text = part.text.length > TEXT_MAX ? `${part.text.slice(0, TEXT_MAX)} …` : part.text
  return (
    <>
      {say(`${of} is false`)} <code>{withNames(text, names)}</code>
      {part.was !== undefined && (
        <>
          {' '}
          {say('was')} <code>{withNames(part.was, names)}</code>
        </>
      )}
    </>
  )
}

const TEXT_MAX = 200

/** Users have ids in policies; their names stand behind, and not in their place. */
function withNames(text: string, names: Names): string {
  return plainText(text).replace(ID, (id) => {
    const name = names.get(id)
    return name === undefined ? id : `${id} (\u2068${plainText(name)}\u2069)`
  })
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
