import { useState } from 'preact/hooks'
import { Again } from '../../parts/again.tsx'
import { Cards } from '../../parts/cards.tsx'
import { Loading } from '../../parts/loading.tsx'
import { More } from '../../parts/more.tsx'
import { Name } from '../../parts/name.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { amountIn } from '../../parts/unit-of.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { isolated } from '../../words/define-words.ts'
import { moment } from '../../words/moment.ts'
import { plainText } from '../../words/plain-text.ts'
import type { ScreenProps } from '../screen.ts'
import { grouped } from './grouped.ts'
import { type Count, type Limit, type Release, limitsNow } from './limits-now.ts'
import { Quotas } from './quotas.tsx'
import { quotasNow } from './quotas-now.ts'
import { shareOf } from './share-of.ts'
import { say as title } from '../words.ts'
import { say } from './words.ts'

/** What is used of each limit in the policies and of each quota, and when room returns. */
export function Limits({ session }: ScreenProps) {
  const [pages, setPages] = useState(1)
  const loaded = useLoaded(async () => {
    const [now, quotas] = await Promise.all([limitsNow(session, pages), quotasNow(session)])
    return { ...now, quotas }
  }, [session, pages])
  return (
    <>
      <h1>{title('limits')}</h1>
      <p>{say('about')}</p>
      <Loading of={loaded}>
        {({ limits: all, hasMore, quotas }) => (
          <>
            {all.length === 0 && <p>{say('none')}</p>}
            {all.map((limit) => (
              <OneLimit
                key={`${limit.policyId} ${limit.usage} ${limit.most}`}
                limit={limit}
                none={say(hasMore ? 'unusedYet' : 'unused')}
              />
            ))}
            <div class="row">
              <Again of={loaded} />
              <More isThere={hasMore} onMore={() => setPages(pages + 1)} />
            </div>
            <Quotas of={quotas} />
          </>
        )}
      </Loading>
    </>
  )
}

function OneLimit({ limit, none }: { readonly limit: Limit; readonly none: string }) {
  const { policyId, policyName, usage, windowMs, amount, most, counts, others } = limit
  return (
    <section>
      <h2>
        <a href={pathTo('policies', policyId)}>
          <Name of={policyName} id={policyId} />
        </a>
      </h2>
      <p>
        {say(`counts ${KINDS[amount ?? ''] ?? 'another'}`)} {say('upTo', { most: written(most, limit) })}
        <br />
        <code>{plainText(usage)}</code>
      </p>
      <Cards of={counts} none={none}>
        {(count) => <Bar key={count.meterId} count={count} limit={limit} />}
      </Cards>
      <p class="hint">
        {say('steps', { minutes: Math.ceil(windowMs / STEPS / MINUTE_MS) })}{' '}
        {others > 0 && say('others', { count: others })}
      </p>
    </section>
  )
}

/** A window is counted in so many steps (`src/trusted/policy/usage-window.ts`). */
const STEPS = 64
const MINUTE_MS = 60_000

const KINDS: { readonly [amount: string]: 'requests' | 'value' | 'gas' | undefined } = {
  '': 'requests',
  'eth.tx.value': 'value',
  'eth.tx.gas': 'gas',
}

function Bar({
  count: { countedBy, used, releases },
  limit,
}: {
  readonly count: Count
  readonly limit: Limit
}) {
  const { most } = limit
  const share = shareOf(used, most)
  const whose = countedBy.length === 0 ? say('all') : countedBy.map(isolated).join(', ')
  const left = used < most ? most - used : 0n
  return (
    <li class="bar">
      <span class="id">{whose}</span>
      <span>{say('used', { used: written(used, limit), most: written(most, limit) })}</span>
      <meter aria-label={whose} min={0} max={1} high={0.8} optimum={0} value={share} />
      <span class="faint">
        {left === 0n ? say('full') : say('left', { left: written(left, limit) })} {returning(releases, limit)}
      </span>
    </li>
  )
}

/** The next use to leave the window, and the last. */
function returning(releases: readonly Release[], limit: Limit): string {
  const [first] = releases
  const last = releases.at(-1)
  if (first === undefined || last === undefined) return ''
  const returned = say('returns', { amount: written(first.amount, limit), at: moment(first.at) })
  return first === last ? returned : `${returned} ${say('empty', { at: moment(last.at) })}`
}

/** In its coin, with the exact number of the smallest unit beside it; in digits where nothing says what it is in. */
function written(amount: bigint, { unit }: Limit): string {
  return unit === undefined ? grouped(amount) : amountIn(unit, amount)
}
