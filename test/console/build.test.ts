import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'node:test'
import { buildConsole } from '../../console/build.ts'
import { consoleFolder } from '../../src/host/app/console-folder.ts'
import { loadedBytes, sizeOf } from './loaded-files.ts'
import { projectFolder, temporaryFolder } from '../support/running-service.ts'

/** Bytes with gzip, scripts and styles: everything that a browser has loaded for a task, the sign-in among it. */
const TASK_MAX = 60_000

/** What few meet: raw bytes that may be of two chains, and stamps on rare curves. */
const DIGEST_MAX = 70_000
const RARE_STAMP_MAX = 80_000

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
  const approval = ['app-', 'approvals-', 'readers-']
  const payload = [...approval, 'payload-words-']
  const transactions = ['ethereum', 'solana', 'tron', 'bitcoin', 'tempo', 'aptos'].map(
    (chain) => `${chain}-words-`,
  )
  const tasks: readonly (readonly [files: readonly string[], most: number])[] = [
    [['app-'], TASK_MAX],
    ...screens.map((name) => [['app-', `${name}-`], TASK_MAX] as const),
    [['app-', 'import-export-', 'bundles-'], TASK_MAX],
    [[...approval, 'known-activities-', 'change-words-'], TASK_MAX],
    ...transactions.map((words) => [[...approval, words], TASK_MAX] as const),
    ...transactions.map((words) => [['app-', 'sign-', 'readers-', words], TASK_MAX] as const),
    [[...payload, 'typed-data-words-'], TASK_MAX],
    [['app-', 'policies-', 'editor-', 'lint-'], TASK_MAX],
    [['app-', 'policies-', 'editor-', 'lint-', 'templates-'], TASK_MAX],
    [[...payload, 'ethereum-words-', 'tempo-words-'], DIGEST_MAX],
    [[...payload, 'tron-words-', 'bitcoin-words-'], DIGEST_MAX],
    [[...payload, 'solana-words-', 'aptos-words-'], DIGEST_MAX],
    [[...approval, 'ethereum-words-', 'rare-stamps-'], RARE_STAMP_MAX],
  ]
  for (const [files, most] of tasks) {
    const size = loadedBytes(here, files)
    t.diagnostic(`${files.join(' ')}: ${size} bytes`)
    assert.ok(size > 10_000 && size <= most, `${files.join(' ')}: ${size} bytes`)
  }
  t.diagnostic(`all files: ${(sizeOf(here) / 1024).toFixed(1)} KiB`)
  const licenses = Buffer.from(here.find(({ name }) => name === 'licenses.txt')?.bytes ?? []).toString()
  const packages = /code of: (.*)/.exec(licenses)?.[1]?.split(', ') ?? []
  assert.ok(packages.includes('preact') && packages.length <= PACKAGES_MAX, packages.join())
})

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

test('a clone serves what it builds', async () => {
  const digests = (files: readonly { readonly name: string; readonly bytes: Uint8Array }[]) =>
    files.map(({ name, bytes }) => [name, sha256(bytes)])
  assert.deepEqual(digests(await consoleFolder.files()), digests(await buildConsole()))
})
