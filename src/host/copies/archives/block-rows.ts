import { jsonIn } from '../../../trusted/base/json-in.ts'
import { anything, isPlain, list, record } from '../../../trusted/base/plain.ts'
import { putTextsBack, takeTextsOut } from '../../../protocol/long-texts.ts'

/** Values of rows, each in the order of the fields. */
type BlockRows = readonly (readonly unknown[])[]

/** More than a block of rows is given. */
const ROWS_MAX = 1_000

const beginning = record({ rows: list(list(anything, 100), ROWS_MAX), notes: anything })

/**
 * A line of JSON, and behind it the long texts of the rows as they are: most of a record is JSON itself, and a megabyte
 * of it, quoted once more, would hold the reader for milliseconds.
 */
export function blockOfRows(rows: BlockRows): Buffer {
  const { messages, notes, texts } = takeTextsOut(rows)
  return Buffer.from(`${JSON.stringify({ rows: messages, notes })}\n${texts.join('')}`)
}

/** @returns undefined where these bytes are no such block */
export function rowsOfBlock(bytes: Buffer): BlockRows | undefined {
  const end = bytes.indexOf('\n')
  const read = jsonIn(bytes.toString('utf8', 0, Math.max(0, end)))
  if (!isPlain(beginning, read)) return undefined
  return putTextsBack(read.rows, read.notes, bytes.subarray(end + 1)) === undefined ? read.rows : undefined
}
