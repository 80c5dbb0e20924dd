import { expressionInvalid } from './failures.ts'
import type { Token, TokenKind } from './tokens.ts'

/**
 * The tokens of an expression; the last is an `end` that stands where the last real one ended.
 * Strings are single-quoted, have no escapes, and may hold any character but the quote.
 *
 * @throws Failure `expressionInvalid` at the first character that begins no token
 */
export function lex(source: string): readonly Token[] {
  // Sticky expressions remember where they stand, so each call has its own.
  const token = new RegExp(TOKEN, 'y')
  const tokens: Token[] = []
  let at = endOfSpace(source, 0)
  let lastEnd = 0
  while (at < source.length) {
    token.lastIndex = at
    const found = token.exec(source)
    if (found === null) throw invalidToken(source, at)
    lastEnd = at + found[0].length
    tokens.push({ kind: kindOf(found), text: found[0], start: at, end: lastEnd })
    at = endOfSpace(source, lastEnd)
  }
  tokens.push({ kind: 'end', text: '', start: lastEnd, end: lastEnd })
  return tokens
}

const TOKEN = /([A-Za-z_][A-Za-z0-9_]*)|('[^']*')|(-?[0-9]+)|&&|\|\||==|!=|<=|>=|\.\.|[!<>()[\].,]/

function kindOf(found: RegExpExecArray): TokenKind {
  if (found[1] !== undefined) return 'name'
  if (found[2] !== undefined) return 'string'
  return found[3] !== undefined ? 'int' : 'symbol'
}

function endOfSpace(source: string, from: number): number {
  let at = from
  while (at < source.length && SPACES.includes(source.charAt(at))) at += 1
  return at
}

const SPACES = ' \t\r\n'

function invalidToken(source: string, at: number): Error {
  const hint = source.charAt(at) === '"' ? ' (strings take single quotes)' : ''
  return expressionInvalid({ reason: `parse error: Invalid token at ${at}${hint}` })
}
