import { excerpt, expressionInvalid, offsets } from './failures.ts'
import { lex } from './lex.ts'
import { durationOf } from './duration.ts'
import {
  CRON_SPAN_MAX_MS,
  DEPTH_MAX,
  isInRange,
  SOURCE_LENGTH_MAX,
  USAGE_BY_MAX,
  USAGE_WINDOW_MAX_MS,
  USAGES_MAX,
} from './limits.ts'
import { scheduleOf } from './schedule.ts'
import { timestampOf } from './timestamp.ts'
import type { Span, Token } from './tokens.ts'
import type { ComparisonOperator, Tree } from './tree.ts'

/**
 * Reads an expression. From loosest to tightest: `||`, `&&`, `!`, one comparison or `in` (they do not chain), then
 * `.field`, `[index]`, `[from..to]` and the list functions.
 *
 * @throws Failure `expressionInvalid`, whose message names the place
 */
export function parse(source: string): Tree {
  if (source.length > SOURCE_LENGTH_MAX) {
    throw expressionInvalid({ reason: `parse error: longer than ${SOURCE_LENGTH_MAX} characters` })
  }
  const cursor: Cursor = { tokens: lex(source), at: 0, depth: 0, usages: 0 }
  const tree = expression(cursor)
  if (peek(cursor).kind !== 'end') throw unrecognized(peek(cursor))
  return tree
}

type Cursor = { readonly tokens: readonly Token[]; at: number; depth: number; usages: number }

function expression(cursor: Cursor): Tree {
  return deeper(cursor, () =>
    chain(cursor, 'or', '||', () => chain(cursor, 'and', '&&', () => negation(cursor))),
  )
}

function chain(cursor: Cursor, kind: 'and' | 'or', operator: string, part: () => Tree): Tree {
  const { start } = peek(cursor)
  const first = part()
  const parts = [first]
  while (take(cursor, operator)) parts.push(part())
  return parts.length === 1 ? first : { kind, parts, span: spanFrom(cursor, start) }
}

function negation(cursor: Cursor): Tree {
  const { start } = peek(cursor)
  if (!take(cursor, '!')) return comparison(cursor)
  const operand = deeper(cursor, () => negation(cursor))
  return { kind: 'not', operand, span: spanFrom(cursor, start) }
}

function comparison(cursor: Cursor): Tree {
  const { start } = peek(cursor)
  const left = postfix(cursor)
  if (take(cursor, 'in')) {
    return { kind: 'member', item: left, list: postfix(cursor), span: spanFrom(cursor, start) }
  }
  const operator = COMPARISONS.find((symbol) => take(cursor, symbol))
  if (operator === undefined) return left
  return { kind: 'comparison', operator, left, right: postfix(cursor), span: spanFrom(cursor, start) }
}

const COMPARISONS: readonly ComparisonOperator[] = ['==', '!=', '<', '<=', '>', '>=']

function postfix(cursor: Cursor): Tree {
  const { start } = peek(cursor)
  let tree = primary(cursor)
  for (;;) {
    if (take(cursor, '.')) tree = selection(cursor, tree, start)
    else if (take(cursor, '[')) tree = subscript(cursor, tree, start)
    else return tree
  }
}

function selection(cursor: Cursor, of: Tree, start: number): Tree {
  const name = nameOf(cursor)
  const isOfUsage = of.kind === 'name' && of.name === 'usage'
  if (name.text === 'count') {
    if (take(cursor, '(') && !take(cursor, ')')) {
      if (isOfUsage) return usage(cursor, 'count', start)
      throw unrecognized(peek(cursor))
    }
    return { kind: 'count', of, span: spanFrom(cursor, start) }
  }
  if (!take(cursor, '(')) return { kind: 'field', of, name: name.text, span: spanFrom(cursor, start) }
  switch (name.text) {
    case 'contains': {
      const item = expression(cursor)
      expect(cursor, ')')
      return { kind: 'member', item, list: of, span: spanFrom(cursor, start) }
    }
    case 'any':
    case 'all':
    case 'filter': {
      const variable = nameOf(cursor).text
      expect(cursor, ',')
      const body = expression(cursor)
      expect(cursor, ')')
      return { kind: name.text, of, variable, body, span: spanFrom(cursor, start) }
    }
    default:
      if (isOfUsage && name.text === 'sum') return usage(cursor, 'sum', start)
      throw noSuchFunction(name)
  }
}

function usage(cursor: Cursor, what: 'sum' | 'count', start: number): Tree {
  let amount: Tree | undefined
  if (what === 'sum') {
    amount = expression(cursor)
    expect(cursor, ',')
  }
  const window = textOf(cursor)
  const windowMs =
    durationOf(window.value, USAGE_WINDOW_MAX_MS) ??
    refuse(window, 'not a duration of up to 31 days, such as 1d12h30m')
  const by: Tree[] = []
  while (take(cursor, ',')) by.push(expression(cursor))
  expect(cursor, ')')
  const span = spanFrom(cursor, start)
  cursor.usages += 1
  if (by.length > USAGE_BY_MAX) throw tooMany(`usage counted by more than ${USAGE_BY_MAX} strings`, span)
  if (cursor.usages > USAGES_MAX) throw tooMany(`usage more than ${USAGES_MAX} times`, span)
  return { kind: 'usage', what, amount, window: window.value, windowMs, by, span }
}

function subscript(cursor: Cursor, of: Tree, start: number): Tree {
  const index = expression(cursor)
  if (!take(cursor, '..')) {
    expect(cursor, ']')
    return { kind: 'index', of, index, span: spanFrom(cursor, start) }
  }
  const to = peek(cursor)
  const from = boundOf(index)
  if (from === undefined || to.kind !== 'int' || to.text.startsWith('-')) throw unrecognized(to)
  cursor.at += 1
  expect(cursor, ']')
  return { kind: 'slice', of, from, to: intOf(to), span: spanFrom(cursor, start) }
}

/** The bounds of a slice are written out; nothing is computed. */
function boundOf(tree: Tree): bigint | undefined {
  return tree.kind === 'literal' && typeof tree.value === 'bigint' && tree.value >= 0n
    ? tree.value
    : undefined
}

function primary(cursor: Cursor): Tree {
  const token = peek(cursor)
  const span = { start: token.start, end: token.end }
  if (take(cursor, '(')) {
    const tree = expression(cursor)
    expect(cursor, ')')
    return tree
  }
  if (take(cursor, '[')) return list(cursor, token.start)
  if (token.kind === 'end' || token.kind === 'symbol' || token.text === 'in') throw unrecognized(token)
  cursor.at += 1
  if (token.kind === 'int') return { kind: 'literal', value: intOf(token), span }
  if (token.kind === 'string') return { kind: 'literal', value: token.text.slice(1, -1), span }
  if (token.text === 'true' || token.text === 'false') {
    return { kind: 'literal', value: token.text === 'true', span }
  }
  if (!take(cursor, '(')) return { kind: 'name', name: token.text, span }
  return call(cursor, token)
}

/** The rest of a call, after the parenthesis that follows the name of the function. */
function call(cursor: Cursor, name: Token): Tree {
  switch (name.text) {
    case 'CaseInsensitiveString': {
      const operand = expression(cursor)
      expect(cursor, ')')
      return { kind: 'caseless', operand, span: spanFrom(cursor, name.start) }
    }
    case 'Timestamp': {
      const text = textOf(cursor)
      const at = timestampOf(text.value) ?? refuse(text, 'not an RFC 3339 time in UTC')
      expect(cursor, ')')
      return { kind: 'timestamp', text: text.value, at, span: spanFrom(cursor, name.start) }
    }
    case 'CronSpan':
      return cronSpan(cursor, name.start)
    default:
      throw noSuchFunction(name)
  }
}

function cronSpan(cursor: Cursor, start: number): Tree {
  const cron = textOf(cursor)
  const schedule =
    scheduleOf(cron.value) ?? refuse(cron, 'not a cron expression of five fields without steps')
  expect(cursor, ',')
  const length = textOf(cursor)
  const lengthMs =
    durationOf(length.value, CRON_SPAN_MAX_MS) ??
    refuse(length, 'not a duration of up to 7 days, such as 1d12h30m')
  expect(cursor, ',')
  const zone = textOf(cursor)
  expect(cursor, ')')
  return {
    kind: 'cronSpan',
    texts: [cron.value, length.value, zone.value],
    schedule,
    lengthMs,
    zone: zone.value,
    span: spanFrom(cursor, start),
  }
}

function list(cursor: Cursor, start: number): Tree {
  const items: Tree[] = []
  if (!take(cursor, ']')) {
    do items.push(expression(cursor))
    while (take(cursor, ','))
    expect(cursor, ']')
  }
  return { kind: 'list', items, span: spanFrom(cursor, start) }
}

function intOf(token: Token): bigint {
  const value = BigInt(token.text)
  if (isInRange(value)) return value
  throw expressionInvalid({ reason: `parse error: integer out of range at ${offsets(token)}` })
}

/** A string that is written out. */
function textOf(cursor: Cursor): { readonly value: string; readonly token: Token } {
  const token = peek(cursor)
  if (token.kind !== 'string') throw unrecognized(token)
  cursor.at += 1
  return { value: token.text.slice(1, -1), token }
}

function refuse({ token }: { readonly token: Token }, what: string): never {
  throw expressionInvalid({ reason: `${what}: ${excerpt(token.text)} (at ${offsets(token)})` })
}

function nameOf(cursor: Cursor): Token {
  const token = peek(cursor)
  // A fraction such as 0.1 is read as a field of 0.
  const hint = token.kind === 'int' ? ' (numbers are whole: write an amount in its smallest unit)' : ''
  if (token.kind !== 'name' || RESERVED.includes(token.text)) throw unrecognized(token, hint)
  cursor.at += 1
  return token
}

const RESERVED: readonly string[] = ['true', 'false', 'in']

function expect(cursor: Cursor, symbol: string): void {
  if (!take(cursor, symbol)) throw unrecognized(peek(cursor))
}

/** A string or a number never has the text of an operator, so the text alone tells. */
function take(cursor: Cursor, text: string): boolean {
  if (peek(cursor).text !== text) return false
  cursor.at += 1
  return true
}

function peek(cursor: Cursor): Token {
  return cursor.tokens[cursor.at] ?? { kind: 'end', text: '', start: 0, end: 0 }
}

/** The span from `start` to the end of the token read last. */
function spanFrom(cursor: Cursor, start: number): { start: number; end: number } {
  return { start, end: cursor.tokens[cursor.at - 1]?.end ?? start }
}

function deeper(cursor: Cursor, read: () => Tree): Tree {
  if (cursor.depth >= DEPTH_MAX) {
    const { start } = peek(cursor)
    throw expressionInvalid({ reason: `parse error: nested deeper than ${DEPTH_MAX} levels at ${start}` })
  }
  cursor.depth += 1
  const tree = read()
  cursor.depth -= 1
  return tree
}

function unrecognized(token: Token, hint = ''): Error {
  const what =
    token.kind === 'end'
      ? `Unrecognized EOF found at ${token.start}`
      : `Unrecognized token \`${excerpt(token.text)}\` found at ${offsets(token)}`
  return expressionInvalid({ reason: `parse error: ${what}${hint}` })
}

function tooMany(what: string, span: Span): Error {
  return expressionInvalid({ reason: `parse error: ${what} (at ${offsets(span)})` })
}

function noSuchFunction(name: Token): Error {
  return expressionInvalid({ reason: `function does not exist: ${excerpt(name.text)} (at ${offsets(name)})` })
}
