import { readFileSync } from 'node:fs'

/** The processes that this one has started, by their numbers, in the order of their start; Linux alone tells. */
export function childrenOf(pid: number): readonly number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return listed === '' ? [] : listed.split(' ').map(Number)
}
