import { FairQueue } from '../../trusted/base/fair-queue.ts'

/**
 * Runs a read that is bounded in itself, now or in a later turn of the event loop, and charges that turn with its
 * weight.
 *
 * @param flow  whose read it is: an organization's, or '' for the service's own
 */
export type ReadingTurns = <Result>(
  flow: string,
  read: () => Result,
  weigh: (result: Result) => number,
) => Promise<Result>

/**
 * Spreads reads over turns of the event loop. SQLite answers on the calling thread, so whatever is read in one turn
 * everybody else waits for. Therefore a turn has room for so much, whoever asks for it. What comes then waits for a
 * later turn, and of what waits that goes first whose organization has read least: who reads much holds up only
 * themselves.
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

/** A row costs what its look-up does, and as much again for every so many characters. */
export function rowWeight(row: object | undefined): number {
  let characters = 0
  if (row !== undefined)
    for (const value of Object.values(row)) if (typeof value === 'string') characters += value.length
  return 1 + characters / CHARACTERS_OF_A_ROW
}

export function rowsWeight(rows: readonly object[]): number {
  return rows.reduce((sum, row) => sum + rowWeight(row), 1)
}

/** Of an entry of an index, read with others in its order. */
export const ID_WEIGHT = 1 / 4

const CHARACTERS_OF_A_ROW = 4_096

/** Two hundred short rows: an estimate of what a turn reads in one to two milliseconds. */
const TURN_WEIGHT_MAX = 200
