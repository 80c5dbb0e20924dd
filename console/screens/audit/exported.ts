import { asciiJson } from '../../words/plain-json.ts'
import { plainText } from '../../words/plain-text.ts'
import type { AuditRecord } from './records.ts'

/** A line of JSON for each record, in ASCII, with every text exactly as it is. */
export function jsonLines(records: readonly AuditRecord[]): string {
  return records.map((record) => `${asciiJson(JSON.stringify(record))}\n`).join('')
}

/** A table (RFC 4180) for reading in a spreadsheet, in which no text of somebody else is a formula. */
export function csv(records: readonly AuditRecord[]): string {
  const rows = records.map((record) => [
    record.createdAt,
    record.updatedAt,
    record.activityId,
    record.type,
    record.status,
    record.userId,
    record.userName,
    record.names.join(' | '),
    record.decidedBy.map(({ policyId, outcome }) => `${policyId} ${outcome}`).join(' | '),
    record.fingerprint,
  ])
  return [COLUMNS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

const COLUMNS = [
  'createdAt',
  'updatedAt',
  'activityId',
  'type',
  'status',
  'userId',
  'userName',
  'names',
  'decidedBy',
  'fingerprint',
]

/**
 * A spreadsheet takes a cell that begins so as a formula, in quotes or not. One that splits at another character than
 * the comma sees a beginning after each of these characters.
 */
const FORMULA = /(^|[,;|"'])(\s*)(?=[=+\-@＝＋－＠])/gu

function cell(text: string): string {
  return `"${plainText(text).replace(FORMULA, "$1$2'").replaceAll('"', '""')}"`
}
