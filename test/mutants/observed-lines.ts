import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** What V8 says of one script, in the form that its inspector protocol documents. */
export type ScriptCoverage = {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
}
type Range = { readonly startOffset: number; readonly endOffset: number; readonly count: number }

export type LinesByPath = Readonly<Record<string, readonly number[]>>

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Each call says which lines of these sources the process has executed since the last. */
export async function observer(paths: readonly string[]): Promise<() => Promise<LinesByPath>> {
  if (paths.length === 0) return async () => ({})
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const linesIn = executedIn(paths)
  return async () => linesIn((await session.post('Profiler.takePreciseCoverage')).result)
}

export function executedIn(paths: readonly string[]): (scripts: readonly ScriptCoverage[]) => LinesByPath {
  const pathsByUrl = new Map(paths.map((path) => [pathToFileURL(root + path).href, path]))
  const texts = new Map<string, string>()
  return (scripts) => {
    const lines: Record<string, readonly number[]> = {}
    for (const { url, functions } of scripts) {
      const path = pathsByUrl.get(url)
      if (path === undefined) continue
      const text = texts.get(path) ?? readFileSync(root + path, 'utf8')
      texts.set(path, text)
      lines[path] = [...(lines[path] ?? []), ...executedLines(text, functions)]
    }
    return lines
  }
}

/** Types are replaced by blanks when a file is loaded, so that what V8 counts stands where it stands in the file. */
function executedLines(text: string, functions: ScriptCoverage['functions']): readonly number[] {
  const isExecuted = new Uint8Array(text.length)
  const outerFirst = functions
    .flatMap(({ ranges }) => ranges)
    .toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  for (const { startOffset, endOffset, count } of outerFirst)
    isExecuted.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  let start = 0
  return text.split('\n').flatMap((line, at) => {
    const has = line.split('').some((character, i) => character !== ' ' && isExecuted[start + i] === 1)
    start += line.length + 1
    return has ? [at + 1] : []
  })
}
