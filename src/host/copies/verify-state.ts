import { type Table, tables } from '../store/tables.ts'
import { IndexSums } from './index-sums.ts'
import type { Position } from './row-source.ts'

export type Problem = { readonly what: string; readonly problem: string }

/** The progress of a verification, and its findings so far. */
export type VerifyState = {
  /** Identifies the store or the backup: the state must not be used with another one. */
  readonly source: string
  /** Undefined once every row was read. */
  position: Position | undefined
  readonly counts: { [T in Table]: number }
  /** The first problems; `problemCount` counts all of them. */
  readonly problems: Problem[]
  problemCount: number
  readonly sums: IndexSums
  /** Whether the proof of the root key was seen. */
  isProven: boolean
  /** The ordering keys of the waiting jobs. */
  readonly orderingKeys: Set<string>
}

const FORMAT = 'claviger verification 2'

export function newVerifyState(salt: string, source = ''): VerifyState {
  return {
    source,
    position: { table: 'notes' },
    counts: noCounts(),
    problems: [],
    problemCount: 0,
    isProven: false,
    sums: new IndexSums(salt),
    orderingKeys: new Set(),
  }
}

export function addProblem(state: VerifyState, problem: Problem): void {
  state.problemCount++
  if (state.problems.length < PROBLEMS_MAX) state.problems.push(problem)
}

const PROBLEMS_MAX = 1_000

function noCounts(): { [T in Table]: number } {
  // These are exactly the names of the tables.
  return Object.fromEntries(Object.keys(tables).map((table) => [table, 0])) as { [T in Table]: number }
}

export function verifyStateText(state: VerifyState): string {
  const { sums, orderingKeys, ...rest } = state
  return `${JSON.stringify({
    format: FORMAT,
    ...rest,
    salt: sums.salt,
    sums: sums.toText(),
    orderingKeys: [...orderingKeys],
  })}\n`
}

/** @returns undefined unless the text is a state of a verification in this version */
export function readVerifyState(text: string): VerifyState | undefined {
  try {
    // Only a file with this head is read further, and this function's counterpart wrote it.
    const stored = JSON.parse(text) as Omit<VerifyState, 'sums' | 'orderingKeys'> & {
      readonly format: string
      readonly salt: string
      readonly sums: string
      readonly orderingKeys: readonly string[]
    }
    if (stored.format !== FORMAT) return undefined
    const { source, position, counts, problems, problemCount, isProven } = stored
    const sums = IndexSums.fromText(stored.salt, stored.sums)
    if (sums === undefined) return undefined
    return {
      source,
      position,
      counts,
      problems,
      problemCount,
      isProven,
      sums,
      orderingKeys: new Set(stored.orderingKeys),
    }
  } catch {
    return undefined
  }
}
