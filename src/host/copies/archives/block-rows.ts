import { jsonIn } from '../../../trusted/base/json-in.ts'
import { anything, isPlain, list, record } from '../../../trusted/base/plain.ts'
import { putTextsBack, takeTextsOut } from '../../../protocol/long-texts.ts'

/** Values of rows, each in the order of the fields. */
type BlockRows = readonly (readonly unknown[])[]

/** Called with at most the rows of one block. */
const ROWS_MAX = 1_000

const beginning = record({ rows: list(list(anything, 100), ROWS_MAX), notes: anything })

/**
 * A line of JSON, followed by the long texts of the rows, unescaped: most of a record is JSON itself, and another level
 * of quotes around a megabyte of it would occupy the reader for milliseconds.
 */
export function blockOfRows(rows: BlockRows): Buffer {
  const { messages, notes, texts } = takeTextsOut(rows)
  return Buffer.from(`${JSON.stringify({ rows: messages, notes })}\n${texts.join('')}`)
}

/** @returns undefined unless these bytes are such a block */
export function rowsOfBlock(bytes: Buffer): BlockRows | undefined {
  const end = bytes.indexOf('\n')
  const read = jsonIn(bytes.toString('utf8', 0, Math.max(0, end)))
  if (!isPlain(beginning, read)) return undefined
  return putTextsBack(read.rows, read.notes, bytes.subarray(end + 1)) === undefined ? read.rows : undefined
}
