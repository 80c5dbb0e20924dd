import { escaped } from '../delivery/templates/letter.ts'
import type { RotationProgress } from '../rotation/rotation.ts'
import type { Store } from '../store/store.ts'
import { operatorWords, type OperatorWords } from './operator-words.ts'

/** The facts about a host for an operator: only sums, and no data of any organization. */
type OperatorFacts = {
  /** The reason why the host accepts no requests; undefined if it does. */
  readonly notReady: string | undefined
  readonly doesVaultAnswer: boolean
  readonly version: string
  readonly engine: string
  readonly upSeconds: number
  /** Undefined if the store is elsewhere. */
  readonly storeBytes: number | undefined
  readonly freeBytes: number | undefined
  /** Undefined while the store does not answer. */
  readonly jobs: Awaited<ReturnType<Store['jobCounts']>> | undefined
  readonly rotation: RotationProgress | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The style of the page, in a file of its own, because the pages of the service have no inline styles. */
export const OPERATOR_STYLE = `
:root { background: light-dark(#fff, #14171a); color: light-dark(#1a1d21, #e8eaed); color-scheme: light dark }
a { color: light-dark(#1b57b8, #8ab4f8) }
body { font: 1em/1.5 sans-serif; max-width: 48em; margin: 2em auto; padding: 0 1em; overflow-wrap: anywhere }
dl { display: grid; gap: 0 1em; grid-template-columns: minmax(8em, 1fr) minmax(0, 2fr) }
dd { margin: 0 }
[role=alert] { border: 2px solid; padding: .5em }
`

/**
 * The state of a host as a page without scripts.
 *
 * @param languages  the browser's header `Accept-Language`
 */
export function operatorPage(facts: OperatorFacts, languages: string): string {
  const words = /^\s*de\b/i.test(languages) ? operatorWords.de : operatorWords.en
  const said = (text: string): string => escaped(text)
  const parts = factsIn(facts, words).map(([name, value]) => `<dt>${said(name)}</dt><dd>${said(value)}</dd>`)
  const health =
    facts.notReady === undefined
      ? `<p>${said(words.ready)}</p>`
      : `<p role="alert">${said(words.notReady)} ${said(facts.notReady)}</p>`
  return `<!doctype html>
<html lang="${words.lang}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${said(words.title)}</title>
<link rel="stylesheet" href="/status.css">
</head>
<body>
<main>
<h1>${said(words.title)}</h1>
${health}
<dl>
${parts.join('\n')}
</dl>
<p>${said(words.reload)} <a href="/metrics">/metrics</a></p>
</main>
</body>
</html>
`
}

function factsIn(facts: OperatorFacts, words: OperatorWords): readonly (readonly [string, string])[] {
  const { rotation, jobs, now } = facts
  const bytes = (count: number | undefined): string =>
    count === undefined ? words.elsewhere : `${(count / 1e6).toLocaleString(words.lang)} MB`
  const held = rotation?.held
  const rows = rotation?.shown?.rows ?? 0
  return [
    [words.version, `claviger ${facts.version}`],
    [words.up, duration(facts.upSeconds)],
    [words.vault, facts.doesVaultAnswer ? words.answers : words.silent],
    [words.rootKey, held === undefined ? words.unread : String(held.seals)],
    ...(held?.trouble === undefined ? [] : [[words.rootKeyTrouble, held.trouble] as const]),
    ...(rotation?.isResealing === true ? [[words.resealing, rows.toLocaleString(words.lang)] as const] : []),
    [words.store, facts.engine],
    [words.storeSize, bytes(facts.storeBytes)],
    [words.room, bytes(facts.freeBytes)],
    ...(jobs ?? []).map(({ kind, waiting, dead, oldestAt }) => {
      const oldest = oldestAt === null ? '' : `, ${words.oldest} ${duration((now - oldestAt) / 1_000)}`
      return [words[kind], `${waiting} ${words.waiting}${oldest}, ${dead} ${words.dead}`] as const
    }),
  ]
}

function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 120) return `${whole} s`
  if (whole < 7_200) return `${Math.round(whole / 60)} min`
  return `${Math.round(whole / 3_600)} h`
}
