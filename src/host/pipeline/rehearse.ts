import { costs } from '../../trusted/base/costs.ts'
import { Failure, failureOf } from '../../trusted/base/failure.ts'
import { REQUEST_COST_MAX, requestTooCostly, Work } from '../../trusted/base/work.ts'
import type { Rehearsal, RehearsalCase, RehearsalOutcome } from '../../trusted/catalogue/rehearsal.ts'
import { readSubmission } from '../../trusted/catalogue/submission.ts'
import type { Costed, MeterId } from '../../protocol/vault.ts'
import { broughtMeters } from './brought-meters.ts'
import { parentHint } from './charter-cache.ts'
import { gather } from './gather.ts'
import type { Host } from './host.ts'
import { Rereading } from './rereading.ts'

const ATTEMPTS_MAX = 10

/**
 * Brings what the requests would need, and has the vault judge them. A request of the parent's user is judged by the
 * parent's policies, which are told to nobody but the parent: to anyone else such a user is unknown.
 *
 * @param askedFrom  the organization that whoever asks belongs to
 */
export async function rehearse(
  host: Host,
  within: Within,
  { cases, usage: before, ...how }: Rehearsal,
): Promise<RehearsalOutcome> {
  let usage = before
  const rehearsed: RehearsalOutcome['cases'][number][] = []
  let cost = 0
  for await (const part of partsOf(cases, (rehearsalCase) => turnFor(host, within, rehearsalCase))) {
    if (cost > REQUEST_COST_MAX) throw requestTooCostly({ max: REQUEST_COST_MAX })
    const outcome = await rehearsePart(host, within, { ...how, usage, cases: part })
    cost += outcome.cost
    rehearsed.push(...outcome.cases)
    usage = outcome.used ?? usage
  }
  return { cases: rehearsed, ...(usage === 'metered' ? {} : { used: usage }) }
}

type Within = { readonly organizationId: string; readonly askedFrom: string }

// A draft is read once for each part; others get their turn with the vault between its steps.
const PART_CASES_MAX = 100
const PART_CHARACTERS_MAX = 1_000_000

/** In their order; at least one, so that a draft is looked at even where there is nothing to judge by it. */
async function* partsOf(
  cases: Iterable<RehearsalCase>,
  turnFor: (rehearsalCase: RehearsalCase) => Promise<void>,
): AsyncGenerator<readonly RehearsalCase[], void> {
  let part: RehearsalCase[] = []
  let characters = 0
  for (const rehearsalCase of cases) {
    const { length } = rehearsalCase.body
    if (part.length === PART_CASES_MAX || (part.length > 0 && characters + length > PART_CHARACTERS_MAX)) {
      yield part
      part = []
      characters = 0
    }
    part.push(rehearsalCase)
    characters += length
    // The next is taken from its record.
    await turnFor(rehearsalCase)
  }
  yield part
}

type Part = Omit<Rehearsal, 'cases'> & { readonly cases: readonly RehearsalCase[] }

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
    for (const rehearsalCase of cases) {
      await turnFor(host, within, rehearsalCase)
      const one = await withRows(host, { organizationId, version: own?.version ?? 0 }, rehearsalCase)
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
 * Others get their turn between what is long. It is no cost of the request: the vault counts that, which reads the
 * same.
 */
async function turnFor({ pace }: Host, { organizationId }: Within, { body }: RehearsalCase): Promise<void> {
  await new Work(pace, organizationId).step(body.length * costs.bodyCharacter)
}

async function withRows(
  { store, types }: Host,
  of: { readonly organizationId: string; readonly version: number },
  rehearsalCase: RehearsalCase,
) {
  try {
    const { activity, newest: intent } = readSubmission(Buffer.from(rehearsalCase.body, 'utf8'), types)
    const { brought, areRemembered } = await gather(
      { store, cache: undefined, fresh: true },
      { ...of, activity, intent, tokenId: undefined },
    )
    return { rehearsalCase: { ...rehearsalCase, ...brought }, areRemembered }
  } catch (error) {
    // The vault meets it too, and says so in its place.
    if (error instanceof Failure)
      return { rehearsalCase: { ...rehearsalCase, rows: {}, taken: {} }, areRemembered: false }
    throw error
  }
}
