import { moment } from '../../words/moment.ts'
import { plainText } from '../../words/plain-text.ts'
import { grouped } from './grouped.ts'
import { fullnessOf, type Quota } from './quotas-now.ts'
import { shareOf } from './share-of.ts'
import { say } from './words.ts'

/** What the operator of the service lets this organization use, where there is such a thing. */
export function Quotas({ of }: { readonly of: readonly Quota[] }) {
  if (of.length === 0) return null
  return (
    <section>
      <h2>{say('quotas')}</h2>
      <p>{say('quotasAbout')}</p>
      <ul class="cards">
        {of.map((quota) => (
          <OneQuota key={quota.name} quota={quota} />
        ))}
      </ul>
    </section>
  )
}

const WORDS: { readonly [name: string]: Parameters<typeof say>[0] | undefined } = {
  QUOTA_REQUESTS: 'requests',
  QUOTA_COST: 'cost',
  QUOTA_MESSAGES: 'messages',
  QUOTA_SUB_ORGANIZATION_MESSAGES: 'subOrganizationMessages',
  QUOTA_OBJECTS: 'objects',
  QUOTA_SUB_ORGANIZATIONS: 'subOrganizations',
  QUOTA_STORED_BYTES: 'storedBytes',
}

function OneQuota({ quota: { name, most, used, returnsAt } }: { readonly quota: Quota }) {
  const word = WORDS[name]
  const what = word === undefined ? plainText(name) : say(word)
  const fullness = fullnessOf(used, most)
  return (
    <li class="bar">
      <span>
        {what} {fullness !== undefined && <Mark of={fullness} />}
      </span>
      <span>{say('used', { used: grouped(used), most: grouped(most) })}</span>
      <meter aria-label={what} min={0} max={1} high={0.8} optimum={0} value={shareOf(used, most)} />
      <span class="faint">{returning(used, returnsAt)}</span>
    </li>
  )
}

function Mark({ of }: { readonly of: 'full' | 'nearlyFull' }) {
  return <span class={`badge ${of === 'full' ? 'bad' : 'warn'}`}>{say(of === 'full' ? 'fullMark' : of)}</span>
}

/** What is counted by the day begins anew; the rest is there for as long as nobody deletes it. */
function returning(used: bigint, returnsAt: number | undefined): string {
  if (used === 0n) return ''
  return returnsAt === undefined ? say('byDeleting') : say('empty', { at: moment(returnsAt) })
}
