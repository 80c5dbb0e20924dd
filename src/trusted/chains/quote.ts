import type { JsonValue } from '../base/strict-json.ts'

/** A value that was sent, for a message: JSON, shortened; containers are named, not shown. */
export function quote(value: JsonValue): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > LENGTH_MAX ? `${value.slice(0, LENGTH_MAX)}…` : value)
  }
  if (value === null || typeof value !== 'object') return String(value)
  return Array.isArray(value) ? 'an array' : 'an object'
}

const LENGTH_MAX = 64
