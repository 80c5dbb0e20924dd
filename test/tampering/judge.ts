import type { JsonAnswer } from '../support/service.ts'
import type { Outcome } from './harness.ts'
import type { Probe } from './probes.ts'

export type Answered = { readonly probe: Probe; readonly outcome: Outcome }

/**
 * What must not be, among the answers of a service whose data was tampered with: anything but the answer of an
 * untouched one, a refusal, or less of a list.
 *
 * @param knownIds  every identifier in the untouched data; a new one is as good as any other
 */
export function violations(
  tampered: readonly Answered[],
  untouched: readonly Answered[],
  knownIds: ReadonlySet<string>,
): readonly string[] {
  return tampered.flatMap(({ probe, outcome }, at) => {
    const before = untouched[at]?.outcome
    if (before === undefined || isFine(probe, outcome, before, knownIds)) return []
    return [`${probe.name}: ${told(before, outcome)}, became ${told(outcome, before)}`]
  })
}

function isFine(probe: Probe, after: Outcome, before: Outcome, knownIds: ReadonlySet<string>): boolean {
  if (after.text === before.text && after.status === before.status) return true
  if (after.status >= 400) return !showsMore(after.text, before.text + probe.sent.body, knownIds)
  if (settled(after.text, knownIds) === settled(before.text, knownIds)) return true
  if (probe.kind === 'list') return before.status === 200 && isPart(after.text, before.text)
  if (probe.kind === 'replay') return before.status === 200 && isDecidedAnew(after.text, before.text)
  // A name that is nowhere claimed is free: indexes are no authority, and can be withheld.
  return probe.kind === 'name'
}

/** A refusal names nothing that exists but what was sent and what the answer that it replaces had named. */
function showsMore(after: string, known: string, knownIds: ReadonlySet<string>): boolean {
  return (after.match(UUID) ?? []).some((id) => knownIds.has(id) && !known.includes(id))
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

function settled(text: string, knownIds: ReadonlySet<string>): string {
  return text.replaceAll(UUID, (id) => (knownIds.has(id) ? id : 'new'))
}

/** Every member of the list is one of the list as it was, to the byte. */
function isPart(after: string, before: string): boolean {
  const [left, right] = [membersOf(after), membersOf(before)]
  return left.every((member) => right.includes(member))
}

function membersOf(text: string): readonly string[] {
  const lists = Object.values(JSON.parse(text) as JsonAnswer).filter((value) => Array.isArray(value))
  return lists.flat().map((member) => JSON.stringify(member))
}

/**
 * Its record was withheld, so the same bytes were decided as for the first time: with the same result, or waiting for
 * the other vote again.
 */
function isDecidedAnew(after: string, before: string): boolean {
  const [mine, theirs] = [after, before].map((text) => (JSON.parse(text) as JsonAnswer).activity)
  const sameRequest = ['organizationId', 'type', 'intent', 'fingerprint'].every(
    (name) => JSON.stringify(mine[name]) === JSON.stringify(theirs[name]),
  )
  const { activity: _mine, ...result } = mine.result
  const { activity: _theirs, ...earlier } = theirs.result
  const sameEnd = mine.status === theirs.status && JSON.stringify(result) === JSON.stringify(earlier)
  const waits = mine.status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED' && mine.votes.length === 1
  return sameRequest && (sameEnd || waits)
}

/** An answer from shortly before where it differs from the other. */
function told({ status, text }: Outcome, other: Outcome): string {
  let at = 0
  while (at < text.length && text[at] === other.text[at]) at += 1
  return `${status} …${text.slice(Math.max(0, at - 40), at + 120)}…`
}
