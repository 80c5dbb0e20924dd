import { Failure, failureOf } from '../base/failure.ts'
import type { Rehearsal, RehearsalCase, RehearsedCase } from '../catalogue/rehearsal.ts'
import { readSubmission } from '../catalogue/submission.ts'
import { parentHint } from './charter-shelf.ts'
import { gather } from './gather.ts'
import type { Host } from './host.ts'

const ATTEMPTS_MAX = 10

/** Brings what the requests would need, and has the vault judge them. */
export async function rehearse(
  host: Host,
  organizationId: string,
  { cases, ...how }: Rehearsal,
): Promise<readonly RehearsedCase[]> {
  const whole = new Set<string>()
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const own = await host.charters.get(organizationId, true)
    const parentId = own === undefined ? undefined : parentHint(own)
    const parent = parentId === undefined ? undefined : await host.charters.get(parentId, true)
    const rows = [own, parent].filter((row) => row !== undefined)
    const brought = await Promise.all(
      cases.map((one) => withRows(host, { organizationId, version: own?.version ?? 0 }, one)),
    )
    const charters = rows.map((row) => host.charters.offer(row, whole.has(row.organizationId)))
    const rehearsed = await host.vault.rehearse({ ...how, organizationId, charters, cases: brought })
    if (rehearsed.kind === 'rehearsed') return rehearsed.cases
    if (rehearsed.kind === 'refused') throw failureOf(rehearsed.error)
    for (const id of rehearsed.charters) whole.add(id)
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
