import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { notOurs } from '../support/test-files.ts'
import { root } from './sources.ts'

/** Words that a sentence of ours does without, and what it has in their place. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bwhoever\b/i, 'the role: the sender, the holder, a writer of the database'],
  [/\bwhomever\b/i, 'the role: the sender, the holder, a writer of the database'],
  [/\bsketched\b/i, 'abstract'],
]

const PATTERNS = ['{src,test,console,frames,packages,bench,bin}/**/*.{ts,tsx,js}', 'docs/**/*.md', '*.md']

/** This file names what it forbids. */
const EXCEPT = 'test/house/words.test.ts'

test('no sentence has a word that the style of this project replaces', () => {
  const files = globSync(PATTERNS, { cwd: root, exclude: notOurs }).filter((path) => path !== EXCEPT)
  assert.ok(files.length > 2_000)
  const found = files.flatMap((path) =>
    wordsIn(readFileSync(new URL(path, root), 'utf8')).map((why) => `${path}: ${why}`),
  )
  assert.deepEqual(found, [])
})

test('such a word is seen', () => {
  assert.deepEqual(wordsIn('Whoever asks is answered.'), [
    'the role: the sender, the holder, a writer of the database',
  ])
})

function wordsIn(text: string): readonly string[] {
  return WORDS.filter(([word]) => word.test(text)).map(([, instead]) => instead)
}
