import * as failure from '../../../trusted/base/failure.ts'
import type { Constants } from './constants.ts'

/** A kind of failure according to its declarations. */
export type DeclaredFailure = {
  readonly kind: string
  /** A status code of gRPC. */
  readonly code: keyof typeof failure.httpStatusByCode
  readonly codeName: string
  /** The HTTP status of the answer. */
  readonly status: number
  readonly errorCode: string | undefined
  /** The message, with `<name>` for parts of the request; several if it depends on them. */
  readonly texts: readonly string[]
  /** The number of its declarations. */
  readonly places: number
}

/**
 * Every failure of these sources, in the order of kinds. Many are private to their file, so they are read from its
 * text, which a tool formats.
 */
export function declaredFailures(
  sources: ReadonlyMap<string, string>,
  constants: Constants,
): readonly DeclaredFailure[] {
  const byKind = new Map<string, DeclaredFailure>()
  for (const [path, text] of sources)
    for (const [, body = ''] of text.matchAll(DECLARATION)) {
      const declared = declaredIn(body, (name) => constants.shown(path, name))
      const earlier = byKind.get(declared.kind)
      // Two places may declare the same kind, each in its own words.
      const texts = [...(earlier?.texts ?? []), ...declared.texts]
      byKind.set(declared.kind, { ...declared, texts, places: 1 + (earlier?.places ?? 0) })
    }
  return [...byKind.values()].toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
}

/** For a constant, its value for display. */
type ShownOf = (name: string) => string | undefined

const DECLARATION = /= defineFailure(?:<[^(]*?>)?\(\{\n([^]*?)\n\}\)/g

function declaredIn(body: string, shownOf: ShownOf): DeclaredFailure {
  const kind = /^ {2}kind: '(\w+)',$/m.exec(body)?.[1]
  const codeName = /^ {2}code: (\w+),$/m.exec(body)?.[1] ?? ''
  const say = /^ {2}say: ([^]*?)(?=\n {2}\w+:|$(?![^]))/m.exec(body)?.[1]
  const code = Object.entries(failure).find(([name]) => name === codeName)?.[1]
  if (kind === undefined || say === undefined || !isCode(code))
    throw new Error(`a failure is declared in a form that is not read:\n${body}`)
  const errorCode = /^ {2}errorCode: '(\w+)',$/m.exec(body)?.[1]
  const texts = literalsIn(say.slice(say.indexOf('=>')), shownOf)
  const status = OTHER_STATUSES[kind] ?? failure.httpStatusByCode[code]
  return { kind, code, codeName, status, errorCode, texts, places: 1 }
}

/** Answers with another status than that of their code; `src/host/http/unrouted.ts` gives the reason. */
const OTHER_STATUSES: { readonly [kind: string]: number } = { methodNotAllowed: 405 }

function isCode(value: unknown): value is DeclaredFailure['code'] {
  return failure.GRPC_CODES.some((code) => code === value)
}

/** The texts in an expression, one for each of its outcomes. */
function literalsIn(expression: string, shownOf: ShownOf): readonly string[] {
  const texts: string[] = []
  let start = ''
  for (let at = 0; at < expression.length; at++) {
    const quote = expression[at]
    if (quote !== "'" && quote !== '`') continue
    let text = ''
    for (at++; expression[at] !== quote; at++) {
      if (expression[at] === '\\') text += expression[++at]
      else if (quote === '`' && expression.startsWith('${', at)) {
        const end = endOfPlaceholder(expression, at + 2)
        text += placeholder(expression.slice(at + 2, end), shownOf)
        at = end
      } else text += expression[at]
    }
    // A joined text comes before every outcome of the next part.
    if (/^\s*\+/.test(expression.slice(at + 1))) start += text
    else texts.push(start + text)
  }
  return texts
}

function endOfPlaceholder(expression: string, from: number): number {
  let depth = 1
  for (let at = from; at < expression.length; at++) {
    if (expression[at] === '{') depth++
    if (expression[at] === '}' && --depth === 0) return at
  }
  throw new Error(`a placeholder does not end: ${expression}`)
}

/** The placeholder for a value of the request: its name, the choices, or the constant itself. */
function placeholder(expression: string, shownOf: ShownOf): string {
  const constant = shownOf(/^\s*([A-Z][A-Z0-9_]+)(?:\.join\(.*\))?\s*$/.exec(expression)?.[1] ?? '')
  if (constant !== undefined) return constant
  const choices = literalsIn(expression.slice(expression.indexOf('?') + 1), shownOf)
  if (expression.includes(' ? ') && choices.length > 0) return `<${choices.filter(Boolean).join(' | ')}>`
  const names = expression.match(/\b[a-zA-Z]\w*\b/g) ?? []
  const name = names.find((one) => !NOT_NAMES.has(one)) ?? 'value'
  return /JSON\.stringify|shown\(/.test(expression) ? `"<${name}>"` : `<${name}>`
}

const NOT_NAMES = new Set(['JSON', 'stringify', 'shown', 'someOf', 'nounOf', 'formOf', 'adviceFor'])
