import { useState } from 'preact/hooks'
import { Again } from '../../parts/again.tsx'
import { Cards } from '../../parts/cards.tsx'
import { Loading } from '../../parts/loading.tsx'
import { More } from '../../parts/more.tsx'
import { Name } from '../../parts/name.tsx'
import { pathTo } from '../../parts/path-to.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { moment } from '../../words/moment.ts'
import { plainText } from '../../words/plain-text.ts'
import type { ScreenProps } from '../screen.ts'
import { type Count, type Limit, type Release, limitsNow } from './limits-now.ts'
import { shareOf } from './share-of.ts'
import { say as title } from '../words.ts'
import { say } from './words.ts'

/** What is used of each limit in the policies, and when room returns. */
export function Limits({ session }: ScreenProps) {
  const [pages, setPages] = useState(1)
  const loaded = useLoaded(() => limitsNow(session, pages), [session, pages])
  return (
    <>
      <h1>{title('limits')}</h1>
      <p>{say('about')}</p>
      <Loading of={loaded}>
        {({ limits: all, hasMore }) => (
          <>
            {all.length === 0 && <p>{say('none')}</p>}
            {all.map((limit) => (
              <OneLimit key={`${limit.policyId} ${limit.usage} ${limit.most}`} limit={limit} />
            ))}
            <div class="row">
              <Again of={loaded} />
              <More isThere={hasMore} onMore={() => setPages(pages + 1)} />
            </div>
          </>
        )}
      </Loading>
    </>
  )
}

function OneLimit({ limit }: { readonly limit: Limit }) {
  const { policyId, policyName, usage, most, counts } = limit
  return (
    <section>
      <h2>
        <a href={pathTo('policies', policyId)}>
          <Name of={policyName} />
        </a>
      </h2>
      <p>
        <code>{plainText(usage)}</code> {say('upTo', { most: grouped(most) })}
      </p>
      <Cards of={counts} none={say('unused')}>
        {(count) => <Bar key={count.meterId} count={count} most={most} />}
      </Cards>
    </section>
  )
}

function Bar({
  count: { countedBy, used, releases },
  most,
}: {
  readonly count: Count
  readonly most: bigint
}) {
  const share = shareOf(used, most)
  const whose = countedBy.length === 0 ? say('all') : countedBy.map(plainText).join(', ')
  const left = used < most ? most - used : 0n
  return (
    <li class="bar">
      <span class="id">{whose}</span>
      <span>{say('used', { used: grouped(used), most: grouped(most) })}</span>
      <meter aria-label={whose} min={0} max={1} high={0.8} optimum={0} value={share} />
      <span class="faint">
        {left === 0n ? say('full') : say('left', { left: grouped(left) })} {returning(releases)}
      </span>
    </li>
  )
}

/** The next use to leave the window, and the last. */
function returning(releases: readonly Release[]): string {
  const [first] = releases
  const last = releases.at(-1)
  if (first === undefined || last === undefined) return ''
  const returned = say('returns', { amount: grouped(first.amount), at: moment(first.at) })
  return first === last ? returned : `${returned} ${say('empty', { at: moment(last.at) })}`
}

function grouped(amount: bigint): string {
  return amount.toLocaleString(document.documentElement.lang)
}
