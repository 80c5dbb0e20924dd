import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** What this script has written, a line at a time. */
export function keptLines<T>(path: string): readonly T[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((text) => JSON.parse(text) as T)
}

export function keepLine(path: string, item: unknown): void {
  appendFileSync(path, `${JSON.stringify(item)}\n`)
}
