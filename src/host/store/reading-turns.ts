import { FairQueue } from '../../trusted/base/fair-queue.ts'

/**
 * Runs a bounded read, now or in a later turn of the event loop, and charges its weight to that turn.
 *
 * @param flow  the owner of the read: an organization, or '' for the service itself
 */
export type ReadingTurns = <Result>(
  flow: string,
  read: () => Result,
  weigh: (result: Result) => number,
) => Promise<Result>

/**
 * Distributes reads over turns of the event loop. SQLite answers on the calling thread, so all requests wait for the
 * reads of one turn. Therefore a turn has a maximum for all organizations together. Further reads wait for a later
 * turn, and the organization that has read least comes first: an organization with many reads delays only itself.
 */
export function readingTurns(weightMax: number = TURN_WEIGHT_MAX): ReadingTurns {
  const waiting = new FairQueue<() => void>()
  let room = weightMax
  let isNextDue = false

  const nextTurn = (): void => {
    isNextDue = false
    room = weightMax
    while (room > 0 && !waiting.isEmpty) waiting.shift()?.()
    if (waiting.isEmpty) waiting.beginAnew()
  }

  return (flow, read, weigh) =>
    new Promise((resolve, reject) => {
      const run = (): void => {
        if (!isNextDue) setImmediate(nextTurn)
        isNextDue = true
        try {
          const result = read()
          const weight = weigh(result)
          room -= weight
          waiting.charge(flow, weight)
          resolve(result)
        } catch (error) {
          reject(error)
        }
      }
      if (room > 0 && waiting.isEmpty) run()
      else waiting.push(flow, run)
    })
}

/** A row costs one lookup, and the same again for each further number of characters. */
export function rowWeight(row: object | undefined): number {
  let characters = 0
  if (row !== undefined)
    for (const value of Object.values(row)) if (typeof value === 'string') characters += value.length
  return 1 + characters / CHARACTERS_OF_A_ROW
}

export function rowsWeight(rows: readonly object[]): number {
  return rows.reduce((sum, row) => sum + rowWeight(row), 1)
}

/** For an entry of an index, read with others in order. */
export const ID_WEIGHT = 1 / 4

const CHARACTERS_OF_A_ROW = 4_096

/** Two hundred short rows: an estimate of the reads that a turn can do in one to two milliseconds. */
const TURN_WEIGHT_MAX = 200
