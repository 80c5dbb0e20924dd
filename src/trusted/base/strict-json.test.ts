import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { vectors } from '../../../test/support/vectors.ts'
import { utf8 } from './bytes.ts'
import { Failure } from './failure.ts'
import { type JsonValue, readJson, readJsonObject } from './strict-json.ts'

const SUITE_CASES = 318

/** Cases that RFC 8259 allows and a rule of ours refuses. */
const STRICTER: ReadonlyMap<string, string> = new Map([
  ['y_object_duplicated_key.json', 'the key "a" for the second time'],
  ['y_object_duplicated_key_and_value.json', 'the key "a" for the second time'],
])

/** Cases that RFC 8259 leaves open. What is not in this list is refused. */
const OPEN_AND_ACCEPTED: ReadonlySet<string> = new Set([
  'i_number_double_huge_neg_exp.json',
  'i_number_real_underflow.json',
])

const OPEN_AND_REFUSED: ReadonlyMap<string, string> = new Map([
  ['i_number_huge_exp.json', 'a number that is out of range'],
  ['i_number_neg_int_huge_exp.json', 'a number that is out of range'],
  ['i_number_pos_double_huge_exp.json', 'a number that is out of range'],
  ['i_number_real_neg_overflow.json', 'a number that is out of range'],
  ['i_number_real_pos_overflow.json', 'a number that is out of range'],
  ['i_number_too_big_neg_int.json', 'an integer beyond 2^53'],
  ['i_number_too_big_pos_int.json', 'an integer beyond 2^53'],
  ['i_number_very_big_negative_int.json', 'an integer beyond 2^53'],
  ['i_object_key_lone_2nd_surrogate.json', 'a lone surrogate'],
  ['i_string_1st_surrogate_but_2nd_missing.json', 'a lone surrogate'],
  ['i_string_1st_valid_surrogate_2nd_invalid.json', 'a lone surrogate'],
  ['i_string_UTF-16LE_with_BOM.json', 'invalid UTF-8'],
  ['i_string_UTF-8_invalid_sequence.json', 'invalid UTF-8'],
  ['i_string_UTF8_surrogate_U+D800.json', 'invalid UTF-8'],
  ['i_string_incomplete_surrogate_and_escape_valid.json', 'a lone surrogate'],
  ['i_string_incomplete_surrogate_pair.json', 'a lone surrogate'],
  ['i_string_incomplete_surrogates_escape_valid.json', 'a lone surrogate'],
  ['i_string_invalid_lonely_surrogate.json', 'a lone surrogate'],
  ['i_string_invalid_surrogate.json', 'a lone surrogate'],
  ['i_string_invalid_utf-8.json', 'invalid UTF-8'],
  ['i_string_inverted_surrogates_U+1D11E.json', 'a lone surrogate'],
  ['i_string_iso_latin_1.json', 'invalid UTF-8'],
  ['i_string_lone_second_surrogate.json', 'a lone surrogate'],
  ['i_string_lone_utf8_continuation_byte.json', 'invalid UTF-8'],
  ['i_string_not_in_unicode_range.json', 'invalid UTF-8'],
  ['i_string_overlong_sequence_2_bytes.json', 'invalid UTF-8'],
  ['i_string_overlong_sequence_6_bytes.json', 'invalid UTF-8'],
  ['i_string_overlong_sequence_6_bytes_null.json', 'invalid UTF-8'],
  ['i_string_truncated-utf-8.json', 'invalid UTF-8'],
  ['i_string_utf16BE_no_BOM.json', 'invalid UTF-8'],
  ['i_string_utf16LE_no_BOM.json', 'invalid UTF-8'],
  ['i_structure_500_nested_arrays.json', 'nesting deeper than 32'],
  ['i_structure_UTF-8_BOM_empty_object.json', 'a byte order mark'],
])

test('JSONTestSuite is read as decided, case by case', () => {
  const files = Object.entries(vectors<Record<string, string>>('jsontestsuite/test_parsing.json'))
  assert.equal(files.length, SUITE_CASES)
  for (const [name, base64] of files) {
    const bytes = Buffer.from(base64, 'base64')
    const refused = STRICTER.get(name) ?? OPEN_AND_REFUSED.get(name)
    const accepted = (name.startsWith('y_') && refused === undefined) || OPEN_AND_ACCEPTED.has(name)
    if (accepted) assert.deepEqual(readJson(bytes), JSON.parse(bytes.toString()), name)
    else assert.ok(messageOf(bytes).startsWith(`bad request body: ${refused ?? ''}`), name)
  }
})

test('a refusal says what was wrong and at which byte', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['', 'ended before a value at byte 0'],
    ['{"a":1,"a":2}', 'the key "a" for the second time at byte 7'],
    ['{"é":1,"\\u00e9":2}', 'the key "é" for the second time at byte 8'],
    ['{"__proto__":{}}', 'the key "__proto__" at byte 1'],
    ['{"\\u005f_proto__":{}}', 'the key "__proto__" at byte 1'],
    [
      '[9007199254740992]',
      'an integer beyond 2^53, which would lose precision (send it as a string), at byte 1',
    ],
    ['[1e400]', 'a number that is out of range at byte 1'],
    ['["\\ud83d"]', 'a lone surrogate at byte 2'],
    ['["\\ude00"]', 'a lone surrogate at byte 2'],
    ['["\\ud83d\\ud83d"]', 'a lone surrogate at byte 2'],
    ['["\\x"]', 'an unknown escape at byte 2'],
    ['["\\u12g4"]', 'an unknown escape at byte 2'],
    ['["a\tb"]', 'an unescaped control character at byte 3'],
    ['["ab', 'a string without an end at byte 1'],
    ['\ufeff{}', 'a byte order mark at byte 0'],
    ['{} x', 'more text after the value at byte 3'],
    ['{"a" 1}', 'expected ":" at byte 5'],
    ['[1 2]', 'expected "," or "]" at byte 3'],
    ['[1,]', 'expected a value at byte 3'],
    ['{"a":1,}', 'expected a key at byte 7'],
    ['[-]', 'expected a digit at byte 2'],
    ['[01]', 'expected "," or "]" at byte 2'],
  ]
  for (const [text, said] of cases) assert.equal(messageOf(Buffer.from(text)), `bad request body: ${said}`)
})

test('ill-formed UTF-8 is placed, also behind replacement characters that were sent', () => {
  const bytes = Buffer.concat([Buffer.from('["\ufffd\ufffd'), Buffer.from([0xc3]), Buffer.from('"]')])

  assert.equal(messageOf(bytes), 'bad request body: invalid UTF-8 at byte 8')
})

test('nesting is allowed up to the limit and refused one deeper', () => {
  const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth))

  readJson(nested(32))
  assert.equal(messageOf(nested(33)), 'bad request body: nesting deeper than 32 at byte 32')
  readJson(nested(1), { depthMax: 1 })
  assert.throws(() => readJson(nested(2), { depthMax: 1 }), Failure)
  assert.throws(() => readJson(Buffer.from('['.repeat(1_000_000))), Failure)
})

test('values are read up to the limit, however they are put, and refused one beyond it', () => {
  const list = (count: number) => Buffer.from(`[${Array(count).fill('1').join(',')}]`)
  const object = (count: number) =>
    Buffer.from(`{${Array.from({ length: count }, (_, at) => `"${at}":1`).join(',')}}`)

  readJson(list(49_999))
  assert.match(messageOf(list(50_000)), /^bad request body: more than 50000 values at byte \d+$/)
  readJson(object(25_000))
  assert.match(messageOf(object(25_001)), /^bad request body: more than 25000 keys at byte \d+$/)
  readJson(object(49_999), { depthMax: 1, keysMax: 50_000 })
})

test('a string with escapes is read in one call, however many they are', (t) => {
  const read = t.mock.method(JSON, 'parse')
  const digits = t.mock.method(RegExp.prototype, 'test')
  const text = `["${'\\u0030\\ud83d\\ude00\\n'.repeat(10_000)}"]`
  assert.deepEqual(readJson(Buffer.from(text)), ['0\u{1f600}\n'.repeat(10_000)])
  assert.deepEqual([read.mock.callCount(), digits.mock.callCount()], [1, 0])
})

test('what is wrong with an escape is said at its place', () => {
  for (const [text, what] of [
    ['["ab\\x"]', 'an unknown escape at byte 4'],
    ['["\\n\\ud83d"]', 'a lone surrogate at byte 4'],
    ['["\\n\t"]', 'an unescaped control character at byte 4'],
    ['["\\n', 'a string without an end at byte 1'],
    ['["\\', 'an unknown escape at byte 2'],
  ] as const)
    assert.equal(messageOf(Buffer.from(text)), `bad request body: ${what}`)
})

test('a string ends, is escaped or is refused at its place, however long it is', () => {
  for (const length of [0, 1, 62, 63, 64, 65, 66, 127, 128, 129, 10_000]) {
    const text = 'é'.repeat(length)
    const at = 2 + 2 * length
    assert.deepEqual(readJson(utf8(`["${text}","b"]`)), [text, 'b'])
    assert.deepEqual(readJson(utf8(`["${text}\\n${text}"]`)), [`${text}\n${text}`])
    for (const [json, what] of [
      [`["${text}\u0001"]`, `an unescaped control character at byte ${at}`],
      [`["${text}\u001f${text}"]`, `an unescaped control character at byte ${at}`],
      [`["${text}\\x"]`, `an unknown escape at byte ${at}`],
      [`["${text}`, 'a string without an end at byte 1'],
    ] as const)
      assert.throws(() => readJson(utf8(json)), { message: `bad request body: ${what}` }, `${length}`)
  }
})

test('a text is read as its bytes are, and one that no bytes have is refused', () => {
  const text = '{"a":["é","\u{1f600}"]}'
  assert.deepEqual(readJson(text), readJson(utf8(text)))
  assert.throws(() => readJson('{"é\ud83d":1}'), {
    message: 'bad request body: a lone surrogate at byte 4',
  })
})

test('siblings do not count as nesting', () => {
  assert.deepEqual(readJson(Buffer.from('[[],[],{"a":[]}]'), { depthMax: 3 }), [[], [], { a: [] }])
})

test('names of inherited members are keys like any other', () => {
  const value = readJsonObject(Buffer.from('{"constructor":1,"toString":2,"hasOwnProperty":3,"0":4}'))

  assert.deepEqual(value, JSON.parse('{"constructor":1,"toString":2,"hasOwnProperty":3,"0":4}'))
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
})

test('a body that must be an object is refused when it is anything else', () => {
  for (const text of ['[]', 'null', '"{}"', '1']) {
    assert.throws(
      () => readJsonObject(Buffer.from(text)),
      /^Failure: bad request body: expected an object at byte 0$/,
    )
  }
})

test('reading what was written gives it back', () => {
  fc.assert(
    fc.property(jsonOfOurs(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      assert.deepEqual(readJson(Buffer.from(text), { depthMax: 100 }), JSON.parse(text))
    }),
    { numRuns: 500 },
  )
})

test('reading anything else gives what JSON.parse gives, or fails cleanly', () => {
  const mutated = fc
    .tuple(jsonOfOurs(), fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(2)), { minLength: 1, maxLength: 4 }))
    .map(([value, edits]) => edits.reduce(edited, Buffer.from(JSON.stringify(value))))
  const pieces = fc
    .array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '\\u',
        'd83d',
        '0',
        '-',
        '1',
        '.',
        'e',
        '+',
        ' ',
        'true',
        'null',
        '"a"',
      ),
    )
    .map((parts) => Buffer.from(parts.join('')))
  fc.assert(fc.property(mutated, equalOrRefused), { numRuns: 1500 })
  fc.assert(fc.property(pieces, equalOrRefused), { numRuns: 1500 })
})

function equalOrRefused(bytes: Uint8Array): void {
  let value: JsonValue
  try {
    value = readJson(bytes)
  } catch (error) {
    assert.ok(error instanceof Failure && error.kind === 'badRequestBody' && error.code === 3)
    return
  }
  assert.deepEqual(value, JSON.parse(Buffer.from(bytes).toString('utf8')))
}

function edited(bytes: Buffer, [at, byte, how]: readonly [number, number, number]): Buffer {
  const place = at % (bytes.length + 1)
  const kept = how === 0 ? place : Math.min(bytes.length, place + 1)
  const put = how === 1 ? [] : [byte]
  return Buffer.concat([bytes.subarray(0, place), Buffer.from(put), bytes.subarray(kept)])
}

/** JSON values without what our rules refuse. */
function jsonOfOurs(): fc.Arbitrary<unknown> {
  const text = fc.string({ unit: 'grapheme' })
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      fc.constantFrom(null, true, false),
      fc.maxSafeInteger(),
      fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n)),
      text,
      fc.array(tie('value')),
      fc.dictionary(
        text.filter((key) => key !== '__proto__'),
        tie('value'),
      ),
    ),
  })).value
}

function messageOf(bytes: Uint8Array): string {
  try {
    readJson(bytes)
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
  return 'accepted'
}
