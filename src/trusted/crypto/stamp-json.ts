import { fromBase64url, utf8 } from '../base/bytes.ts'
import { Failure, type FailureKind } from '../base/failure.ts'
import { type JsonObject, readJsonObject } from '../base/strict-json.ts'
import { stampMalformed } from './stamp-failures.ts'

export type StampHeaderForm = {
  readonly lengthMax: number
  readonly mayBeRawJson: boolean
  readonly unreadable: FailureKind<{ readonly why: string }>
}

/** The JSON object in a stamp header: base64url of it, or where allowed the text itself. */
export function readStampJson(header: string, form: StampHeaderForm): JsonObject {
  const { lengthMax, mayBeRawJson, unreadable } = form
  if (header.length > lengthMax)
    throw unreadable({ why: `the header is longer than ${lengthMax} characters` })
  const isRawJson = mayBeRawJson && header.startsWith('{')
  const bytes = isRawJson ? utf8(header) : fromBase64url(header)
  if (bytes === undefined) throw unreadable({ why: 'the header is not base64url' })
  try {
    return readJsonObject(bytes)
  } catch (error) {
    if (error instanceof Failure) throw unreadable({ why: 'the header does not hold a JSON object' })
    throw error
  }
}

/** A required string field; further keys of the object are ignored. */
export function stampText(json: JsonObject, field: string): string {
  const value = json[field]
  if (typeof value !== 'string') throw stampMalformed({ why: `${field} must be a string` })
  return value
}
