import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import type { defineWords } from '../../console/words/define-words.ts'
import { root } from './sources.ts'

type Words = { readonly say: ReturnType<typeof defineWords> }

async function catalogues() {
  const paths = globSync('console/**/words.ts', { cwd: root }).toSorted()
  return await Promise.all(
    paths.map(async (path) => {
      // Each file of this name exports its words so.
      const { say } = (await import(new URL(path, root).href)) as Words
      return { path, texts: say.texts }
    }),
  )
}

/** What differs between the languages: keys, and the values that their texts name. */
function differences({ en, de }: Words['say']['texts']): readonly string[] {
  const named = (text = ''): string =>
    [...text.matchAll(/\{(\w+)\}/g)]
      .map(([, name]) => name)
      .toSorted()
      .join()
  return [...new Set([...Object.keys(en), ...Object.keys(de)])].filter(
    (key) => en[key] === undefined || de[key] === undefined || named(en[key]) !== named(de[key]),
  )
}

test('each language has the same texts, with the same values in them', async () => {
  const all = await catalogues()
  assert.ok(all.length > 3)
  for (const { path, texts } of all) assert.deepEqual(differences(texts), [], path)
  assert.deepEqual(differences({ en: { a: '{x}', b: '', c: '' }, de: { a: '{y}', b: '' } }), ['a', 'c'])
})
