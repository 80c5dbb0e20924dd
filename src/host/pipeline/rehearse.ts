import { costs } from '../../trusted/base/costs.ts'
import { Failure, failureOf } from '../../trusted/base/failure.ts'
import { REQUEST_COST_MAX, requestTooCostly, Work } from '../../trusted/base/work.ts'
import type { Needs } from '../../trusted/catalogue/objects.ts'
import type { Rehearsal, RehearsalCase, RehearsalOutcome } from '../../trusted/catalogue/rehearsal.ts'
import { readSubmission } from '../../trusted/catalogue/submission.ts'
import type { Costed, MeterId } from '../../protocol/vault.ts'
import { broughtMeters } from './brought-meters.ts'
import { parentHint } from './charter-cache.ts'
import { gather, longRowsOf, needsOf, type Sources } from './gather.ts'
import type { Host } from './host.ts'
import { Rereading } from './rereading.ts'

const ATTEMPTS_MAX = 10

/**
 * Brings the rows that the requests would need, and lets the vault judge them. The parent's policies judge a request of
 * a user of the parent, and only the parent may see them: for all others such a user is unknown.
 *
 * @param askedFrom  the organization of the user who asks for the rehearsal
 */
export async function rehearse(
  host: Host,
  within: Within,
  { cases, usage: before, ...how }: Rehearsal,
): Promise<RehearsalOutcome> {
  let usage = before
  const rehearsed: RehearsalOutcome['cases'][number][] = []
  let cost = 0
  for await (const part of partsOf(cases, (rehearsalCase) => readCase(host, within, rehearsalCase))) {
    if (cost > REQUEST_COST_MAX) throw requestTooCostly({ max: REQUEST_COST_MAX })
    const judged = { ...how, usage, cases: part }
    const brought = () =>
      part.some(({ longRows }) => longRows > 0)
        ? host.longQueries.interfaces.run(within.organizationId, () => rehearsePart(host, within, judged))
        : rehearsePart(host, within, judged)
    const outcome = await (how.draft === undefined
      ? brought()
      : host.longQueries.drafts.run(within.organizationId, brought))
    cost += outcome.cost
    rehearsed.push(...outcome.cases)
    usage = outcome.used ?? usage
  }
  return { cases: rehearsed, ...(usage === 'metered' ? {} : { used: usage }) }
}

type Within = { readonly organizationId: string; readonly askedFrom: string }

// The vault reads a draft once for each part, and serves other calls between the parts.
const PART_CASES_MAX = 100
const PART_CHARACTERS_MAX = 1_000_000
const PART_LONG_ROWS_MAX = 20

/** `needs` is undefined where the request cannot be read. */
type ReadCase = {
  readonly rehearsalCase: RehearsalCase
  readonly needs: Needs | undefined
  readonly longRows: number
}

/** The parts in order; there is at least one, so a draft is checked even without a request to judge. */
async function* partsOf(
  cases: Iterable<RehearsalCase>,
  read: (rehearsalCase: RehearsalCase) => Promise<ReadCase>,
): AsyncGenerator<readonly ReadCase[], void> {
  let part: ReadCase[] = []
  let [characters, longRows] = [0, 0]
  for (const rehearsalCase of cases) {
    const one = await read(rehearsalCase)
    characters += rehearsalCase.body.length
    longRows += one.longRows
    const isFull =
      part.length === PART_CASES_MAX || characters > PART_CHARACTERS_MAX || longRows > PART_LONG_ROWS_MAX
    if (part.length > 0 && isFull) {
      yield part
      part = []
      ;[characters, longRows] = [rehearsalCase.body.length, one.longRows]
    }
    part.push(one)
  }
  yield part
}

type Part = Omit<Rehearsal, 'cases'> & { readonly cases: readonly ReadCase[] }

async function rehearsePart(
  host: Host,
  within: Within,
  { cases, ...how }: Part,
): Promise<Costed<RehearsalOutcome>> {
  const { organizationId, askedFrom } = within
  const whole = new Set<string>()
  const meterIds = new Map<string, MeterId>()
  const rereading = new Rereading()
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const confirm = host.store.confirmer()
    const own = await host.charters.get(organizationId, true)
    const parentId = own === undefined ? undefined : parentHint(own)
    const parent =
      parentId === undefined || parentId !== askedFrom ? undefined : await host.charters.get(parentId, true)
    const rows = [own, parent].filter((row) => row !== undefined)
    const brought: Awaited<ReturnType<typeof withRows>>['rehearsalCase'][] = []
    let areRemembered = meterIds.size > 0
    for (const readOne of cases) {
      await turnFor(host, within, readOne.rehearsalCase)
      const one = await withRows(host, { organizationId, version: own?.version ?? 0 }, readOne)
      brought.push(one.rehearsalCase)
      areRemembered ||= one.areRemembered
    }
    const charters = rows.map((row) => host.charters.offer(row, whole.has(row.organizationId)))
    const meters =
      meterIds.size === 0
        ? {}
        : { meters: await broughtMeters(host.store, { ids: [...meterIds.values()], asTheyStand: true }) }
    if (areRemembered) await confirm()
    const rehearsed = await host.vault.rehearse({
      ...how,
      organizationId,
      charters,
      cases: brought,
      ...meters,
    })
    if (rehearsed.kind === 'rehearsed') return rehearsed
    if (rehearsed.kind === 'refused') throw failureOf(rehearsed.error)
    if (rehearsed.kind === 'outdated') rereading.note(rehearsed)
    else if (rehearsed.kind === 'meters') for (const id of rehearsed.ids) meterIds.set(id.objectId, id)
    else for (const id of rehearsed.charters) whole.add(id)
  }
  throw new Error(`no attempt of ${ATTEMPTS_MAX} met an unchanged organization`)
}

/**
 * Lets other requests run between long steps. This is not charged to the request: the vault reads the same and counts
 * the cost.
 */
async function turnFor({ pace }: Host, { organizationId }: Within, { body }: RehearsalCase): Promise<void> {
  await new Work(pace, organizationId).step(body.length * costs.bodyCharacter)
}

async function readCase(host: Host, within: Within, rehearsalCase: RehearsalCase): Promise<ReadCase> {
  await turnFor(host, within, rehearsalCase)
  const { organizationId } = within
  try {
    const { activity, newest: intent } = readSubmission(rehearsalCase.body, host.types)
    const needs = needsOf(activity, intent, undefined)
    const longRows = await longRowsOf(sourcesOf(host), { needs, organizationId, version: 0 })
    return { rehearsalCase, needs, longRows }
  } catch (error) {
    // The vault finds the same failure, and reports it in the right order.
    if (error instanceof Failure) return { rehearsalCase, needs: undefined, longRows: 0 }
    throw error
  }
}

async function withRows(
  host: Host,
  of: { readonly organizationId: string; readonly version: number },
  { rehearsalCase, needs }: ReadCase,
) {
  if (needs === undefined)
    return { rehearsalCase: { ...rehearsalCase, rows: {}, taken: {} }, areRemembered: false }
  const { brought, areRemembered } = await gather(sourcesOf(host), { ...of, needs })
  return { rehearsalCase: { ...rehearsalCase, ...brought }, areRemembered }
}

function sourcesOf({ store }: Host): Sources {
  return { store, cache: undefined, fresh: true }
}
