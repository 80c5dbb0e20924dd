import { Facts } from '../../../parts/facts.tsx'
import { Loading } from '../../../parts/loading.tsx'
import { Name } from '../../../parts/name.tsx'
import { Status } from '../../../parts/status.tsx'
import { useLoaded } from '../../../parts/use-loaded.ts'
import { moment } from '../../../words/moment.ts'
import { called } from '../../../words/plain-text.ts'
import type { Session } from '../../../session/session.ts'
import { orNothing } from '../host-word.ts'
import { listed } from '../listed.tsx'
import type { Said } from '../said-by-host.tsx'
import { isWaiting } from '../waiting.ts'
import { say } from './words.ts'

type MoreProps = Said & { readonly session: Session }

/** Who else may vote, what of which limit is used, and until when it waits. */
export function MoreByHost({ session, checked: { host }, word }: MoreProps) {
  const limits = useLoaded(
    async () => (await Promise.all(word.policies.map(({ id }) => limitTexts(session, id, word)))).flat(),
    [session, word],
  )
  const times = host.votes.map(({ castAt }) => castAt)
  const waits = isWaiting(host.status)
  return (
    <Facts
      of={[
        [say('askedAt'), moment(times[0] ?? Number.NaN)],
        [say('status'), <Status key="status" of={host.status} />],
        [
          say('voters'),
          waits && listed(word.voters.map((id) => <Name key={id} of={word.users.get(id) ?? id} id={id} />)),
        ],
        [
          say('limits'),
          waits &&
            (limits.state.kind === 'loaded' ? (
              listed(limits.state.value)
            ) : (
              <Loading of={limits}>{() => undefined}</Loading>
            )),
        ],
        [say('lapses'), waits && say('lapsesLong', { moment: moment(Math.max(...times) + WAITS_MAX_MS) })],
      ]}
    />
  )
}

/** As `vault/records/votes.ts` has it: 30 days after the last vote. */
const WAITS_MAX_MS = 30 * 24 * 60 * 60 * 1_000
const HOUR_MS = 60 * 60 * 1_000

async function limitTexts(
  session: Session,
  policyId: string,
  { nameOf }: Said['word'],
): Promise<readonly string[]> {
  const answer = await orNothing(() => session.query('list_limit_usage', { policyId }))
  const limits = answer?.listOrNone('limits') ?? []
  const counts = answer?.listOrNone('counts') ?? []
  return [
    ...limits.map((limit) =>
      say('limit', {
        usage: limit.text('usage'),
        hours: limit.number('windowMs') / HOUR_MS,
        most: limit.text('most'),
      }),
    ),
    ...counts.map((count) => {
      const by = count.texts('countedBy').map((value) => {
        const name = nameOf(value)
        return name === undefined ? value : called(name, value)
      })
      const used = count.text('used')
      return by.length === 0 ? say('used', { used }) : say('usedOf', { used, by: by.join(', ') })
    }),
  ]
}
