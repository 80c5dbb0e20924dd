import { gzipSync } from 'node:zlib'
import type { BuiltFile } from '../../release/built-files.ts'
import { LANGUAGES } from '../../console/words/language.ts'
import { present } from '../../src/trusted/base/assert.ts'

/**
 * What a browser has loaded once it needs these scripts: with gzip, with everything that they import at once, and with
 * their words in the language that has the longer ones.
 */
export function loadedBytes(files: readonly BuiltFile[], beginnings: readonly string[]): number {
  return Math.max(...LANGUAGES.map((language) => bytesIn(language, files, beginnings)))
}

function bytesIn(language: string, files: readonly BuiltFile[], beginnings: readonly string[]): number {
  const texts = new Map(files.map(({ name, bytes }) => [name, Buffer.from(bytes)]))
  const loaded = new Set<string>()
  const load = (name: string): void => {
    if (loaded.has(name)) return
    loaded.add(name)
    const text = present(texts.get(name), name).toString()
    for (const [, imported = ''] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) load(imported)
    for (const [, words = ''] of text.matchAll(/import\("\.\/(words-\w\w-[^"]+)"\)/g))
      if (words.startsWith(`words-${language}-`)) load(words)
  }
  for (const beginning of beginnings)
    load(
      present(
        files.map(({ name }) => name).find((name) => name.startsWith(beginning)),
        beginning,
      ),
    )
  return sizeOf(files.filter(({ name }) => loaded.has(name) || name.endsWith('.css')))
}

export function sizeOf(files: readonly BuiltFile[]): number {
  return files
    .filter(({ name }) => /\.(js|css)$/.test(name))
    .reduce((sum, { bytes }) => sum + gzipSync(bytes, { level: 9 }).length, 0)
}
