import { assert } from './assert.ts'
import { asBuffer, fromUtf8 } from './bytes.ts'
import { defineFailure, type Failure, INVALID_ARGUMENT } from './failure.ts'
import { jsonIn } from './json-in.ts'

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
export type JsonObject = { readonly [key: string]: JsonValue }

/**
 * `depthMax` counts open objects and arrays: 1 allows `{}` and refuses `[[]]`. `keysMax` counts the keys of all
 * objects.
 */
type JsonLimits = { readonly depthMax: number; readonly keysMax?: number }

const badRequestBody = defineFailure<{ readonly what: string; readonly byteOffset: number }>({
  kind: 'badRequestBody',
  code: INVALID_ARGUMENT,
  say: ({ what, byteOffset }) => `bad request body: ${what} at byte ${byteOffset}`,
})

/**
 * Reads one JSON text (RFC 8259) and refuses every text that two readers could understand differently. Beyond the RFC,
 * these are refused: a byte order mark, a key given twice in one object, the key `__proto__`, a lone surrogate, an
 * integer that a double cannot hold exactly, a number that is not finite, nesting deeper than `depthMax`, more than
 * `keysMax` keys, and more than 50,000 values. A megabyte of numbers or names alone would delay all other requests
 * while it is read. An accepted text has the value that `JSON.parse` gives it.
 *
 * @param json  UTF-8, or its text; the caller bounds the length
 * @returns     plain objects; strings may share memory with the text of the whole body
 * @throws      Failure `badRequestBody`, and never anything else
 */
export function readJson(json: Uint8Array | string, limits: JsonLimits = defaultLimits): JsonValue {
  const text = typeof json === 'string' ? wellFormed(json) : bodyText(json)
  return new Reader(text, limits).document()
}

/** No bytes have a lone surrogate: what is read would not be what was signed. */
function wellFormed(text: string): string {
  if (text.isWellFormed()) return text
  throw badRequestBody({ what: 'a lone surrogate', byteOffset: wellFormedLength(text) })
}

/** The text of a body. @throws Failure `badRequestBody` if it is not UTF-8 */
export function bodyText(bytes: Uint8Array): string {
  const text = fromUtf8(bytes)
  if (text === undefined) throw badRequestBody({ what: 'invalid UTF-8', byteOffset: validUtf8Length(bytes) })
  return text
}

/** As `readJson`, for a text that must be an object. */
export function readJsonObject(json: Uint8Array | string, limits: JsonLimits = defaultLimits): JsonObject {
  const value = readJson(json, limits)
  if (isJsonObject(value)) return value
  throw badRequestBody({ what: 'expected an object', byteOffset: 0 })
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const VALUES_MAX = 50_000
// Adding a new key to an object takes longer than reading a number.
const defaultLimits: JsonLimits = { depthMax: 32, keysMax: VALUES_MAX / 2 }

/** The start of the first ill-formed sequence: the first replacement character that the sender did not send itself. */
function validUtf8Length(bytes: Uint8Array): number {
  const lossy = asBuffer(bytes).toString('utf8')
  let at = 0
  let byteOffset = 0
  for (;;) {
    const next = lossy.indexOf('\ufffd', at)
    assert(next >= 0, 'ill-formed UTF-8 decodes to a replacement character')
    byteOffset += Buffer.byteLength(lossy.slice(at, next))
    const wasSent =
      bytes[byteOffset] === 0xef && bytes[byteOffset + 1] === 0xbf && bytes[byteOffset + 2] === 0xbd
    if (!wasSent) return byteOffset
    at = next + 1
    byteOffset += 3
  }
}

/** In bytes, up to the first lone surrogate. */
function wellFormedLength(text: string): number {
  const replaced = text.toWellFormed()
  let at = 0
  while (text.charCodeAt(at) === replaced.charCodeAt(at)) at++
  return Buffer.byteLength(text.slice(0, at))
}

const QUOTE = 0x22
const PLUS = 0x2b
const COMMA = 0x2c
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const LETTER_CAPITAL_E = 0x45
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LETTER_E = 0x65
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

const SHORT_STRING = 64
const PLAIN = /[^"\\\u0000-\u001f]*/y

/** One pass over a well-formed text. `at` is the next unread UTF-16 code unit. */
class Reader {
  readonly #text: string
  readonly #depthMax: number
  readonly #keysMax: number
  #at = 0
  #depth = 0
  #values = 0
  #keys = 0

  constructor(text: string, { depthMax, keysMax = VALUES_MAX }: JsonLimits) {
    this.#text = text
    this.#depthMax = depthMax
    this.#keysMax = keysMax
  }

  document(): JsonValue {
    if (this.#peek() === 0xfeff) throw this.#refuse('a byte order mark')
    const value = this.#value()
    this.#skipSpace()
    if (this.#at < this.#text.length) throw this.#refuse('more text after the value')
    return value
  }

  #value(): JsonValue {
    this.#skipSpace()
    this.#values += 1
    if (this.#values > VALUES_MAX) throw this.#refuse(`more than ${VALUES_MAX} values`)
    const first = this.#peek()
    if (first === QUOTE) return this.#string()
    if (first === OPEN_BRACE) return this.#object()
    if (first === OPEN_BRACKET) return this.#array()
    if (first === MINUS || isDigit(first)) return this.#number()
    if (this.#takeWord('true')) return true
    if (this.#takeWord('false')) return false
    if (this.#takeWord('null')) return null
    throw this.#unexpected('a value')
  }

  #object(): JsonObject {
    this.#open()
    const object: { [key: string]: JsonValue } = {}
    if (this.#take(CLOSE_BRACE)) return this.#close(object)
    for (;;) {
      const keyAt = this.#at
      if (this.#peek() !== QUOTE) throw this.#unexpected('a key')
      this.#keys += 1
      if (this.#keys > this.#keysMax) throw this.#refuse(`more than ${this.#keysMax} keys`)
      const key = this.#string()
      // Checked before the assignment below, which for this one key would set a prototype.
      if (key === '__proto__') throw this.#refuse('the key "__proto__"', keyAt)
      if (Object.hasOwn(object, key)) throw this.#refuse(`the key ${quoted(key)} for the second time`, keyAt)
      this.#skipSpace()
      if (!this.#take(COLON)) throw this.#unexpected('":"')
      object[key] = this.#value()
      this.#skipSpace()
      if (this.#take(CLOSE_BRACE)) return this.#close(object)
      if (!this.#take(COMMA)) throw this.#unexpected('"," or "}"')
      this.#skipSpace()
    }
  }

  #array(): readonly JsonValue[] {
    this.#open()
    const array: JsonValue[] = []
    if (this.#take(CLOSE_BRACKET)) return this.#close(array)
    for (;;) {
      array.push(this.#value())
      this.#skipSpace()
      if (this.#take(CLOSE_BRACKET)) return this.#close(array)
      if (!this.#take(COMMA)) throw this.#unexpected('"," or "]"')
    }
  }

  #open(): void {
    if (this.#depth === this.#depthMax) throw this.#refuse(`nesting deeper than ${this.#depthMax}`)
    this.#depth++
    this.#at++
    this.#skipSpace()
  }

  #close<T>(value: T): T {
    this.#depth--
    return value
  }

  /** RFC 8259, section 7. Text between escapes is taken as it stands. */
  #string(): string {
    const openedAt = this.#at++
    let from = this.#at
    let value = ''
    for (;;) {
      this.#skipPlain()
      const code = this.#peek()
      if (code === QUOTE) {
        const last = this.#text.slice(from, this.#at++)
        return value === '' ? last : value + last
      }
      if (code === BACKSLASH) {
        const whole = value === '' ? this.#escapedString(openedAt) : undefined
        if (whole !== undefined) return whole
        value += this.#text.slice(from, this.#at) + this.#escape()
        from = this.#at
      } else if (this.#at < this.#text.length) throw this.#refuse('an unescaped control character')
      else throw this.#refuse('a string without an end', openedAt)
    }
  }

  /** Up to the next quote, escape or control character. A pattern is faster where the text is long. */
  #skipPlain(): void {
    const text = this.#text
    const end = this.#at + SHORT_STRING
    let at = this.#at
    for (; at < end; at++) {
      const code = text.charCodeAt(at)
      // Not a number at the end of the text.
      if (code === QUOTE || code === BACKSLASH || !(code >= 0x20)) break
    }
    if (at === end) {
      PLAIN.lastIndex = at
      PLAIN.test(text)
      at = PLAIN.lastIndex
    }
    this.#at = at
  }

  /**
   * The string as `JSON.parse` reads it (a megabyte of escapes in a few milliseconds); undefined where it is malformed.
   */
  #escapedString(openedAt: number): string | undefined {
    let end = this.#at
    for (let code = this.#peek(); code !== QUOTE; code = this.#text.charCodeAt(end)) {
      if (end >= this.#text.length) return undefined
      end += code === BACKSLASH ? 2 : 1
    }
    const value = jsonIn(this.#text.slice(openedAt, end + 1))
    if (typeof value !== 'string' || !value.isWellFormed()) return undefined
    this.#at = end + 1
    return value
  }

  #escape(): string {
    const escapedAt = this.#at++
    const letter = this.#text.charAt(this.#at++)
    const single = singleEscapes.get(letter)
    if (single !== undefined) return single
    if (letter !== 'u') throw this.#refuse('an unknown escape', escapedAt)
    const unit = this.#fourHexDigits(escapedAt)
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit)
    const pairFollows = unit < 0xdc00 && this.#text.startsWith('\\u', this.#at)
    if (!pairFollows) throw this.#refuse('a lone surrogate', escapedAt)
    this.#at += 2
    const low = this.#fourHexDigits(escapedAt)
    if (low < 0xdc00 || low > 0xdfff) throw this.#refuse('a lone surrogate', escapedAt)
    return String.fromCharCode(unit, low)
  }

  #fourHexDigits(escapedAt: number): number {
    const digits = this.#text.slice(this.#at, this.#at + 4)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#refuse('an unknown escape', escapedAt)
    this.#at += 4
    return Number.parseInt(digits, 16)
  }

  /** RFC 8259, section 6. */
  #number(): number {
    const from = this.#at
    let isInteger = true
    this.#take(MINUS)
    if (this.#peek() === ZERO) this.#at++
    else this.#digits()
    if (this.#take(DOT)) {
      isInteger = false
      this.#digits()
    }
    const exponent = this.#peek()
    if (exponent === LETTER_E || exponent === LETTER_CAPITAL_E) {
      isInteger = false
      this.#at++
      if (!this.#take(PLUS)) this.#take(MINUS)
      this.#digits()
    }
    const value = Number(this.#text.slice(from, this.#at))
    if (!Number.isFinite(value)) throw this.#refuse('a number that is out of range', from)
    if (isInteger && !Number.isSafeInteger(value)) {
      throw this.#refuse('an integer beyond 2^53, which would lose precision (send it as a string),', from)
    }
    return value
  }

  #digits(): void {
    if (!isDigit(this.#peek())) throw this.#unexpected('a digit')
    while (isDigit(this.#peek())) this.#at++
  }

  #skipSpace(): void {
    let code = this.#peek()
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      this.#at++
      code = this.#peek()
    }
  }

  /** NaN at the end of the text: unequal to everything, and neither below nor above anything. */
  #peek(): number {
    return this.#text.charCodeAt(this.#at)
  }

  #take(code: number): boolean {
    if (this.#peek() !== code) return false
    this.#at++
    return true
  }

  #takeWord(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false
    this.#at += word.length
    return true
  }

  #unexpected(expected: string): Failure {
    return this.#refuse(this.#at < this.#text.length ? `expected ${expected}` : `ended before ${expected}`)
  }

  #refuse(what: string, at: number = this.#at): Failure {
    return badRequestBody({ what, byteOffset: Buffer.byteLength(this.#text.slice(0, at)) })
  }
}

const singleEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/** A key as it was sent, cut to a length that suits a message. */
function quoted(key: string): string {
  return JSON.stringify(key.length > 64 ? `${key.slice(0, 64)}…` : key)
}
