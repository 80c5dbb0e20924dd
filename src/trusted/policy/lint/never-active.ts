import { firesWithin } from '../schedule.ts'
import type { Tree } from '../tree.ts'
import { placeOf, type Rule } from './finding.ts'

/** A time, or a part of one, that never comes (`CronSpan('0 0 31 2 *', …)`), or a time that is over. */
export const neverActive: Rule = (read, { now }) => {
  const { time } = read.trees
  if (time === undefined) return []
  const never = affirmed(time)
    .filter((tree) => tree.kind === 'cronSpan' && !firesWithin(tree.schedule, 0, LEAP_CYCLE))
    .map((tree) => ({ tree, why: 'No calendar has the day on which it would begin.' }))
  const parts = time.kind === 'and' ? time.parts : [time]
  const over = parts
    .filter((part) => now !== undefined && isOver(part, BigInt(now)))
    .map((tree) => ({ tree, why: 'That time is over: the policy never does anything again.' }))
  return [...never, ...over].map(({ tree, why }) => ({
    severity: 'warning',
    what: 'neverActive',
    why,
    place: placeOf(read, 'time', tree.span),
  }))
}

/** The parts in which the policy is to be active. What stands under `!` is not among them: without it, it is active. */
function affirmed(tree: Tree): readonly Tree[] {
  return tree.kind === 'and' || tree.kind === 'or' ? tree.parts.flatMap(affirmed) : [tree]
}

/** Minutes of nine years from 1970, two leap years among them. */
const LEAP_CYCLE = 9 * 366 * 24 * 60

function isOver(tree: Tree, now: bigint): boolean {
  if (tree.kind !== 'comparison') return false
  const { operator, left, right } = tree
  if (operator === '<' || operator === '<=')
    return right.kind === 'timestamp' && left.kind === 'field' && right.at < now
  if (operator !== '>' && operator !== '>=') return false
  return left.kind === 'timestamp' && right.kind === 'field' && left.at < now
}
