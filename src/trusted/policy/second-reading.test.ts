import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseExpression } from './expression.ts'
import { Problem } from './problem.ts'
import { secondReading } from './testing/second-reading.ts'
import { bool, int, list, string, type Value } from './types.ts'

const FACTS: { readonly [name: string]: Value } = {
  yes: true,
  three: 3n,
  word: 'abc',
  numbers: [1n, 2n, 3n],
  words: ['a', 'abc'],
  none: [],
}
const VOCABULARY = {
  yes: bool,
  three: int,
  word: string,
  numbers: list(int),
  words: list(string),
  none: list(int),
}

const either = (...texts: readonly string[]) => fc.constantFrom(...texts)
const space = either('', ' ', '\n ')

/** Texts with as few parentheses as they happen to have, so that precedence decides what they mean. */
const { anyBool } = fc.letrec<{
  anyBool: string
  atom: string
  anyInt: string
  anyString: string
  ints: string
}>((tie) => ({
  anyBool: fc
    .tuple(fc.array(fc.tuple(either('', '!', '!!'), tie('atom')), { minLength: 1, maxLength: 4 }), space)
    .chain(([terms, gap]) =>
      fc
        .array(either('&&', '||'), { minLength: terms.length, maxLength: terms.length })
        .map((operators) =>
          terms
            .map(
              ([nots, atom], at) => `${at === 0 ? '' : `${gap}${operators[at]}${gap}`}${nots}${gap}${atom}`,
            )
            .join(''),
        ),
    ),
  atom: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    either('true', 'false', 'yes'),
    fc
      .tuple(tie('anyInt'), either('==', '!=', '<', '<=', '>', '>='), tie('anyInt'), space)
      .map(([a, operator, b, gap]) => `${a}${gap}${operator}${gap}${b}`),
    fc.tuple(tie('anyString'), either('==', '!='), tie('anyString')).map((parts) => parts.join('')),
    fc.tuple(tie('anyInt'), tie('ints')).map((parts) => parts.join(' in ')),
    fc.tuple(tie('ints'), tie('anyInt')).map(([of, item]) => `${of}.contains(${item})`),
    fc
      .tuple(tie('ints'), either('any', 'all'), either('three', 'n'), tie('anyBool'))
      .map(([of, name, variable, body]) => `${of}.${name}(${variable}, ${body} || ${variable} > 1)`),
    tie('anyBool').map((inner) => `(${inner})`),
  ),
  anyInt: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    either('0', '2', '-1', 'three', 'words.count', 'numbers.count()'),
    fc.tuple(tie('ints'), either('0', '1', '2')).map(([of, at]) => `${of}[${at}]`),
    tie('ints').map((of) => `${of}.count()`),
    tie('anyInt').map((inner) => `(${inner})`),
  ),
  anyString: either(
    "'a'",
    "'&&'",
    "'x in (y'",
    'word',
    'word[1]',
    'word[0..2]',
    'words[1]',
    'words[1][0..1]',
    'word[2..4]',
  ),
  ints: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    either('numbers', 'none', '[1, 3]', 'numbers[1..3]', 'numbers[0..2][0..1]'),
    fc.array(tie('anyInt'), { minLength: 1, maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    fc.tuple(tie('ints'), tie('anyBool')).map(([of, body]) => `${of}.filter(n, ${body} && n < 3)`),
    tie('ints').map((inner) => `(${inner})`),
  ),
}))

test('a text means what a second reader, which splits it at its loosest operator, finds in it', () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(anyBool, (text) => {
      const value = parseExpression(text, VOCABULARY).evaluate(FACTS)
      const expected = secondReading(text, new Map(Object.entries(FACTS)))
      assert.equal(value instanceof Problem ? undefined : value, expected, text)
      seen.set(String(expected), (seen.get(String(expected)) ?? 0) + 1)
    }),
    { numRuns: 3_000 },
  )
  for (const result of ['true', 'false', 'undefined']) assert.ok((seen.get(result) ?? 0) > 300, result)
})
