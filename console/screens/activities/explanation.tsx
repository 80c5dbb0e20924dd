import { Facts } from '../../parts/facts.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Name } from '../../parts/name.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'
import { plainText } from '../../words/plain-text.ts'
import { say } from './words.ts'

/** Why the policies decide so, down to each value. */
export function Explanation({
  session,
  activityId,
}: {
  readonly session: Session
  readonly activityId: string
}) {
  const loaded = useLoaded(async () => {
    const [answer, policies] = await Promise.all([
      session.query('explain_activity', { activityId }),
      session.query('list_policies'),
    ])
    const names = new Map(
      policies.list('policies').map((policy) => [policy.text('policyId'), policy.text('policyName')]),
    )
    return { judgement: answer.object('judgement'), names }
  }, [session, activityId])
  return (
    <Loading of={loaded}>
      {({ judgement, names }) => (
        <>
          <p>
            {say(decisionWord(judgement.text('decision')))} {!judgement.flag('asked') && say('notAsked')}
          </p>
          {judgement
            .list('explanations')
            .flatMap((explanation) =>
              explanation
                .list('policies')
                .map((policy) => (
                  <Policy
                    key={`${explanation.path}${policy.text('policyId')}`}
                    policy={policy}
                    names={names}
                  />
                )),
            )}
        </>
      )}
    </Loading>
  )
}

function decisionWord(decision: string): 'allows' | 'lets wait' | 'denies' {
  if (decision === 'allow') return 'allows'
  return decision === 'wait' ? 'lets wait' : 'denies'
}

function Policy({
  policy,
  names,
}: {
  readonly policy: Answered
  readonly names: ReadonlyMap<string, string>
}) {
  const id = policy.text('policyId')
  const expressions = (['condition', 'consensus', 'time'] as const).filter((name) => policy.has(name))
  return (
    <details>
      <summary>
        <Name of={names.get(id) ?? id} /> <span class="badge">{policy.text('outcome')}</span>
      </summary>
      <Facts
        of={expressions.map((name) => [
          say(name),
          <Expression key={name} expression={policy.object(name)} />,
        ])}
      />
    </details>
  )
}

function Expression({ expression }: { readonly expression: Answered }) {
  if (!expression.has('whole'))
    return (
      <>
        <code>{plainText(expression.text('text'))}</code> <Came of={expression} />
      </>
    )
  return (
    <ul class="tree">
      <Part part={expression.object('whole')} depth={0} />
    </ul>
  )
}

/** Deeper and wider trees are cut: nobody reads them, and a browser would be busy with them for long. */
const DEPTH_MAX = 40
const PARTS_MAX = 100

function Part({ part, depth }: { readonly part: Answered; readonly depth: number }) {
  const parts = part.list('parts')
  const shown = depth < DEPTH_MAX ? parts.slice(0, PARTS_MAX) : []
  const item = part.has('item') ? part.object('item') : undefined
  return (
    <li>
      <code>{plainText(part.text('text'))}</code> <Came of={part} />
      {item !== undefined && (
        <span class="faint"> {say('item', { name: item.text('name'), value: item.text('value') })}</span>
      )}
      {shown.length > 0 && (
        <ul>
          {shown.map((inner) => (
            <Part key={inner.path} part={inner} depth={depth + 1} />
          ))}
        </ul>
      )}
      {(shown.length < parts.length || part.has('isCut')) && <span class="faint">{say('cut')}</span>}
    </li>
  )
}

/** What a part came to. */
function Came({ of }: { readonly of: Answered }) {
  if (!of.has('result')) return <span class="faint">{say('notNeeded')}</span>
  const result = of.object('result')
  if (!result.has('value'))
    return <span class="badge warn">{plainText(result.object('problem').text('reason'))}</span>
  const value = result.text('value')
  const tone = value === 'true' ? 'good' : value === 'false' ? 'bad' : ''
  return <span class={`badge wraps ${tone}`}>{plainText(value)}</span>
}
