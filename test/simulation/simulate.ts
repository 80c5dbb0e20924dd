import { isDeepStrictEqual } from 'node:util'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { ObjectRow } from '../../src/trusted/catalogue/unit.ts'
import type { Store } from '../../src/host/store/store.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import { seeded } from '../support/seeded.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, type Outcome, type Service, START } from '../tampering/harness.ts'
import { interleaving } from './interleaving.ts'
import { type Organization, organizations } from './people.ts'
import { nextRequest, type Request, spree } from './requests.ts'
import { hasTwice } from './rules.ts'
import { type Observer, observer } from './observer.ts'

type Run = {
  readonly seed: string
  /** Every answer, in the order of the requests, and every record at the end. */
  readonly transcript: readonly string[]
  /** What broke a promise; the run ends at the first step in which something does. */
  readonly wrong: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

const STEPS = 40
const AT_ONCE_MAX = 6

/**
 * The whole service in this process, from one seed: who sends what, how the requests interleave, the clock, all
 * randomness.
 *
 * @param faulty  puts a fault into the store, to see whether it is noticed
 */
export async function simulate(
  seed: string,
  {
    steps = STEPS,
    faulty = (store) => store,
    around = (vault) => vault,
  }: {
    readonly steps?: number
    readonly faulty?: (store: Store) => Store
    readonly around?: (vault: Vault) => Vault
  } = {},
): Promise<Run> {
  const random = seeded(seed)
  const world = testWorld(random.below(2 ** 31), START)
  const threads = interleaving(seeded(`${seed} threads`))
  const sqlite = openSqlite({ path: ':memory:' })
  const seen = observer(faulty(sqlite))
  const store = threads.store(seen.store)
  // Two hosts, each with a vault of its own, on one store: what one of them has at hand, the other makes out of date.
  const paused = (vault: Vault): Vault => threads.vault(around(vault))
  const service = await openServiceOn(store, world, paused)
  const services = [service, await openServiceOn(store, world, paused)]
  const transcript: string[] = []
  const wrong: string[] = []
  const past: Request[] = []
  const answers = new Map<string, string>()
  const mentioned = new Map<string, Set<string>>()
  const counts: Record<string, number> = {}
  try {
    const everyone = await organizations(service, store, random)
    for (let step = 0; step < steps && wrong.length === 0; step++) {
      const situation = { world, random, seen, organizations: everyone, past }
      const many = 1 + random.below(AT_ONCE_MAX)
      const requests =
        random.below(8) === 0
          ? [...spree(situation, many)]
          : Array.from({ length: many }, () => nextRequest(situation))
      // The same bytes twice at once, now and then.
      if (random.below(3) === 0) requests.push(random.pick(requests))
      for (const { to, sent } of requests)
        mentioned.set(to, new Set([...(mentioned.get(to) ?? []), ...(sent.body.match(UUID) ?? [])]))
      const jobs = requests.map(({ sent }) => {
        const through = random.pick(services)
        return () => through.send(sent)
      })
      const outcomes = await threads.drive(jobs)
      requests.forEach((request, at) => {
        const outcome = outcomes[at]
        if (outcome === undefined) return
        transcript.push(`${request.sent.route} ${outcome.status} ${outcome.text}`)
        count(counts, request, outcome)
        wrong.push(...wrongInAnswer(request, outcome, { everyone, seen, answers, mentioned }))
      })
      past.push(...requests)
      wrong.push(...seen.wrong, ...(await wrongInStore(sqlite, seen, service)))
      world.advance(random.below(20) === 0 ? 13 * 60 * 60 * 1000 : random.below(1000))
    }
    for (const row of seen.records.values()) transcript.push(JSON.stringify(row))
  } finally {
    await sqlite.close()
  }
  return { seed, transcript, wrong, counts }
}

/**
 * No bug, one activity for the same bytes, and nothing of an organization that is not the sender's own, its parent or
 * its child.
 */
function wrongInAnswer(
  { by, to, sent }: Request,
  { status, text, bug }: Outcome,
  known: {
    readonly everyone: readonly Organization[]
    readonly seen: Observer
    readonly answers: Map<string, string>
    /** By organization: what requests to it have named, which its records therefore show. */
    readonly mentioned: ReadonlyMap<string, ReadonlySet<string>>
  },
): readonly string[] {
  if (status === 500) return [`${sent.body}: ${bug instanceof Error ? bug.stack : String(bug)}`]
  const wrong: string[] = []
  if (status === 200 && sent.route.startsWith('submit') && !/APPROVE|REJECT/.test(sent.body)) {
    // An activity as the service answers it.
    const { id } = (JSON.parse(text) as { activity: { id: string } }).activity
    const earlier = known.answers.get(sent.body) ?? id
    if (earlier !== id) wrong.push(`${sent.body} is ${earlier} and ${id}`)
    known.answers.set(sent.body, earlier)
  }
  const mine = new Set([by.organizationId, ...related(by.organizationId, known.everyone)])
  if (status === 200 && !mine.has(to)) wrong.push(`${by.userId} was answered for ${to}: ${sent.body}`)
  const named = new Set([to, ...mine].flatMap((id) => [...(known.mentioned.get(id) ?? [])]))
  for (const [id, organizationId] of owners(known.seen))
    if (!mine.has(organizationId) && text.includes(id) && !named.has(id))
      wrong.push(`${by.userId} was told of ${id}, which is of ${organizationId}`)
  return wrong
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

function related(organizationId: string, everyone: readonly Organization[]): readonly string[] {
  return everyone.flatMap((organization) => {
    if (organization.parentId === organizationId) return [organization.organizationId]
    return organization.organizationId === organizationId && organization.parentId !== undefined
      ? [organization.parentId]
      : []
  })
}

/** Which organization an identifier belongs to. */
function owners(seen: Observer): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { organizationId, users, policies } of seen.charters.values()) {
    for (const { userId } of users) found.set(userId, organizationId)
    for (const { policyId } of policies) found.set(policyId, organizationId)
  }
  for (const { activityId, organizationId } of seen.records.values()) found.set(activityId, organizationId)
  for (const key of [seen.keys, seen.wallets, seen.accounts].flatMap((held) => [...held.keys()]))
    found.set(key.split(' ')[1] ?? '', key.split(' ')[0] ?? '')
  return found
}

/** What is stored is what was written, sealed, and once. */
async function wrongInStore(store: Store, seen: Observer, { vault }: Service): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const [organizationId, charter] of seen.charters) {
    const row = await store.charter(organizationId)
    const rows = await store.activities(organizationId, {}, { limit: 10_000 })
    const objects: ObjectRow[] = []
    for (const [kind, known] of Object.entries(KINDS)) {
      const found = await store.objectsOfKind(organizationId, kind, { limit: 10_000 })
      const there = known(seen).filter((key) => key.startsWith(organizationId)).length
      if (there !== found.length)
        wrong.push(`${organizationId} has ${found.length} of ${kind} instead of ${there}`)
      objects.push(...found)
    }
    objects.push(...(await store.objectsOfKind(organizationId, 'usage_meter', { limit: 10_000 })))
    if (row === undefined || row.version !== charter.version) wrong.push(`charter of ${organizationId}`)
    else
      await vault
        .check({ charters: [row], activities: rows, objects })
        .catch((error: unknown) => wrong.push(String(error)))
    // An organization is born with version 1; a root of the parent founds it, which amends nothing of the parent's.
    if (charter.version !== 1 + (seen.amendments.get(organizationId) ?? 0))
      wrong.push(`charter ${charter.version} of ${organizationId} is not what its activities made of it`)
    if (hasTwice(rows.map(({ fingerprint }) => fingerprint))) wrong.push('a request has two records')
    const written = [...seen.records.values()].filter((record) => record.organizationId === organizationId)
    if (
      !written.every((activityRow) =>
        rows.some((stored) => isDeepStrictEqual({ ...stored }, { ...activityRow })),
      )
    )
      wrong.push(`a record of ${organizationId} is not as it was written`)
  }
  return wrong
}

const KINDS: Readonly<Record<string, (seen: Observer) => readonly string[]>> = {
  private_key: ({ keys }) => [...keys.keys()],
  wallet: ({ wallets }) => [...wallets.keys()],
  wallet_account: ({ accounts }) => [...accounts.keys()],
}

function count(counts: Record<string, number>, { sent }: Request, { status, text }: Outcome): void {
  const how = /"status":"ACTIVITY_STATUS_(\w+)"/.exec(text)?.[1] ?? ''
  const name = `${sent.route.split('/')[1]} ${status} ${sent.route.startsWith('submit') ? how : ''}`.trim()
  counts[name] = (counts[name] ?? 0) + 1
}
