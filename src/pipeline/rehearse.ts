import { Failure, failureOf } from '../base/failure.ts'
import type { Rehearsal, RehearsalCase, RehearsalOutcome } from '../catalogue/rehearsal.ts'
import { readSubmission } from '../catalogue/submission.ts'
import type { MeterId } from '../vault/protocol.ts'
import { broughtMeters } from './brought-meters.ts'
import { parentHint } from './charter-shelf.ts'
import { gather } from './gather.ts'
import type { Host } from './host.ts'

const ATTEMPTS_MAX = 10

/**
 * Brings what the requests would need, and has the vault judge them. A request of the parent's user is judged by the parent's
 * policies, which are told to nobody but the parent: to anyone else such a user is unknown.
 *
 * @param askedFrom  the organization that whoever asks belongs to
 */
export async function rehearse(
  host: Host,
  { organizationId, askedFrom }: { readonly organizationId: string; readonly askedFrom: string },
  { cases, ...how }: Rehearsal,
): Promise<RehearsalOutcome> {
  const whole = new Set<string>()
  const meterIds = new Map<string, MeterId>()
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const own = await host.charters.get(organizationId, true)
    const parentId = own === undefined ? undefined : parentHint(own)
    const parent =
      parentId === undefined || parentId !== askedFrom ? undefined : await host.charters.get(parentId, true)
    const rows = [own, parent].filter((row) => row !== undefined)
    const brought = await Promise.all(
      cases.map((one) => withRows(host, { organizationId, version: own?.version ?? 0 }, one)),
    )
    const charters = rows.map((row) => host.charters.offer(row, whole.has(row.organizationId)))
    const meters = meterIds.size === 0 ? {} : { meters: await broughtMeters(host, [...meterIds.values()]) }
    const rehearsed = await host.vault.rehearse({
      ...how,
      organizationId,
      charters,
      cases: brought,
      ...meters,
    })
    if (rehearsed.kind === 'rehearsed') return rehearsed
    if (rehearsed.kind === 'refused') throw failureOf(rehearsed.error)
    if (rehearsed.kind === 'meters') for (const id of rehearsed.ids) meterIds.set(id.objectId, id)
    else for (const id of rehearsed.charters) whole.add(id)
  }
  throw new Error(`no attempt of ${ATTEMPTS_MAX} met an unchanged organization`)
}

async function withRows(
  { store, types }: Host,
  of: { readonly organizationId: string; readonly version: number },
  one: RehearsalCase,
) {
  try {
    const { activity, newest: intent } = readSubmission(Buffer.from(one.body, 'utf8'), types)
    const brought = await gather({ store, shelf: undefined }, { ...of, activity, intent, tokenId: undefined })
    return { ...one, ...brought }
  } catch (error) {
    // The vault meets it too, and says so in its place.
    if (error instanceof Failure) return { ...one, rows: {}, taken: {} }
    throw error
  }
}
