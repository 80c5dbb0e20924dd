import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'node:test'
import { buildConsole } from '../../console/build.ts'
import { consoleFolder } from '../../src/host/app/console-folder.ts'
import type { BuiltFile } from '../../release/built-files.ts'
import { loadedBytes, sizeOf } from './loaded-files.ts'
import { projectFolder, temporaryFolder } from '../support/running-service.ts'

/** Bytes with gzip, scripts and styles: everything that a browser has loaded for a task, the sign-in among it. */
const TASK_MAX = 60_000

const PACKAGES_MAX = 8

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

test('the console is built to the same bytes in every folder, within its budget', async (t) => {
  const here = await buildConsole()
  const elsewhere = join(temporaryFolder(), 'some', 'where else')
  mkdirSync(elsewhere, { recursive: true })
  for (const path of ['console', 'frames', 'src', 'tsconfig.json'])
    cpSync(join(projectFolder, path), join(elsewhere, path), { recursive: true })
  symlinkSync(join(projectFolder, 'node_modules'), join(elsewhere, 'node_modules'))
  const there = await buildConsole(pathToFileURL(`${elsewhere}/`))
  assert.deepEqual(
    there.map(({ name, bytes }) => [name, sha256(bytes)]),
    here.map(({ name, bytes }) => [name, sha256(bytes)]),
  )
  const screens = globSync('*/', { cwd: join(projectFolder, 'console/screens') }).filter(
    (name) => name !== 'sign-in',
  )
  assert.ok(screens.length > 8)
  const approval = ['app-', 'approvals-', 'checked-']
  const transactions = ['ethereum', 'solana', 'tron', 'bitcoin', 'tempo', 'aptos'].map(
    (chain) => `${chain}-words-`,
  )
  /** Payloads in one request may be of two chains with a hash function in common, and a PSBT begins like Tron too. */
  const chains: readonly (readonly string[])[] = [
    ...transactions.map((words) => [words]),
    ['ethereum-words-', 'tempo-words-'],
    ['tron-words-', 'bitcoin-words-'],
    ['solana-words-', 'aptos-words-'],
  ]
  const requests = [[], ['known-activities-', 'change-words-'], ['typed-data-words-'], ...chains]
  /** Of an API key on the curve of browsers, of a passkey, and on a curve that browsers lack. */
  const stamps = [[], ['passkey-stamp-'], ['rare-secp256k1-'], ['rare-ed25519-']]
  const signing = ['app-', 'sign-', 'readers-', 'signature-']
  const tasks: readonly (readonly string[])[] = [
    ['app-'],
    ...screens.map((name) => ['app-', `${name}-`]),
    ['app-', 'import-export-', 'bundles-'],
    ...requests.flatMap((readers) => stamps.map((stamp) => [...approval, ...readers, ...stamp])),
    signing,
    ...transactions
      .filter((words) => words !== 'aptos-words-')
      .map((words) => [...signing, words, ...signedOf(here, words)]),
    [...signing, 'typed-data-words-', 'typed-data-digest-'],
    ['app-', 'policies-', 'editor-', 'one-policy-', 'lint-'],
    ['app-', 'policies-', 'editor-', 'lint-', 'templates-'],
  ]
  for (const files of tasks) {
    const size = loadedBytes(here, files)
    t.diagnostic(`${files.join(' ')}: ${size} bytes`)
    assert.ok(size > 10_000 && size <= TASK_MAX, `${files.join(' ')}: ${size} bytes`)
  }
  t.diagnostic(`all files: ${(sizeOf(here) / 1024).toFixed(1)} KiB`)
  const licenses = Buffer.from(here.find(({ name }) => name === 'licenses.txt')?.bytes ?? []).toString()
  const packages = /code of: (.*)/.exec(licenses)?.[1]?.split(', ') ?? []
  assert.ok(packages.includes('preact') && packages.length <= PACKAGES_MAX, packages.join())
})

/** What finds the signatures in a signed transaction of this chain, where that is a file of its own. */
function signedOf(files: readonly BuiltFile[], words: string): readonly string[] {
  const begins = words.replace('words', 'signed')
  return files.some(({ name }) => name.startsWith(begins)) ? [begins] : []
}

test('a line of SHA256SUMS stands for each other file, and the page names its script and its style by their digests', async () => {
  const files = new Map((await buildConsole()).map(({ name, bytes }) => [name, Buffer.from(bytes)]))
  const sums = files.get('SHA256SUMS')?.toString() ?? ''
  const others = [...files].filter(([name]) => name !== 'SHA256SUMS')
  assert.equal(sums, others.map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`).join(''))
  const page = files.get('index.html')?.toString() ?? ''
  const named = [...page.matchAll(/(?:src|href)="([^"]+)" integrity="sha384-([^"]+)"/g)]
  assert.deepEqual(
    named.map(([, name = '']) => name.replace(/-.*\./, '.')),
    ['style.css', 'app.js'],
  )
  for (const [, name = '', digest] of named)
    assert.equal(
      createHash('sha384')
        .update(files.get(name) ?? '')
        .digest('base64'),
      digest,
    )
  assert.doesNotMatch(page, /<style|style=|<script(?! type="module" src=)| on\w+=/)
})

test('a text stands in the file of its language, and in no other', async () => {
  const files = (await buildConsole()).filter(({ name }) => name.endsWith('.js'))
  const german = 'Der Dienst ist nicht erreichbar.'
  const english = 'The service cannot be reached.'
  for (const [text, language] of [
    [german, 'de'],
    [english, 'en'],
  ] as const) {
    const holding = files.filter(({ bytes }) => Buffer.from(bytes).toString().includes(text))
    assert.deepEqual(
      holding.map(({ name }) => name.replace(/-\w+\.js$/, '')),
      [`words-${language}-page`],
    )
  }
})

test('a clone serves what it builds, but for the list of it', async () => {
  const digests = (files: readonly { readonly name: string; readonly bytes: Uint8Array }[]) =>
    files.map(({ name, bytes }) => [name, sha256(bytes)])
  const files = (await buildConsole()).filter(({ name }) => name !== 'SHA256SUMS')
  assert.deepEqual(digests(await consoleFolder.files()), digests(files))
})
