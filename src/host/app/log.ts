/**
 * One line of JSON per event. It contains only names, ids, counts and our own texts, and never a body, a header or a
 * key.
 */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: LogFields) => void

type LogFields = { readonly [name: string]: string | number | boolean | undefined }

export function jsonLog(write: (line: string) => void, now: () => number): Log {
  return (level, event, fields = {}) =>
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, event, ...fields })}\n`)
}
