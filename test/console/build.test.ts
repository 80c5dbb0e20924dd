import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'node:test'
import { buildConsole } from '../../console/build.ts'
import { consoleFolder } from '../../src/host/app/console-folder.ts'
import { loadedBytes, sizeOf } from './loaded-files.ts'
import { projectFolder, temporaryFolder } from '../support/running-service.ts'

/** With gzip, scripts and styles: what is loaded before anything is asked for, and with what each task needs besides. */
const LOADED_BYTES_MAX = 42 * 1024
const WITH_BUNDLES_BYTES_MAX = 80 * 1024
const WITH_READERS_BYTES_MAX = {
  '': 64,
  ethereum: 84,
  solana: 79,
  tron: 82,
  bitcoin: 79,
  tempo: 86,
  aptos: 73,
}

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
  const sizes = Object.entries(WITH_READERS_BYTES_MAX).map(([chain, most]) => {
    const words = chain === '' ? [] : [`${chain}-words-`]
    return { chain, size: loadedBytes(here, ['app-', 'readers-', ...words]), most: most * 1024 }
  })
  const loaded = loadedBytes(here, ['app-'])
  const withBundles = loadedBytes(here, ['app-', 'bundles-'])
  const all = sizeOf(here)
  t.diagnostic(
    `${loaded} bytes with gzip, ${all} of all files, ${withBundles} with bundles, ${JSON.stringify(sizes)}`,
  )
  assert.ok(loaded > 10_000 && loaded <= LOADED_BYTES_MAX, `${loaded} bytes`)
  assert.ok(
    withBundles > loaded && withBundles <= WITH_BUNDLES_BYTES_MAX,
    `${withBundles} bytes with bundles`,
  )
  for (const { chain, size, most } of sizes)
    assert.ok(size > loaded && size <= most, `${chain}: ${size} bytes`)
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

test('a clone serves what it builds', async () => {
  const digests = (files: readonly { readonly name: string; readonly bytes: Uint8Array }[]) =>
    files.map(({ name, bytes }) => [name, sha256(bytes)])
  assert.deepEqual(digests(await consoleFolder.files()), digests(await buildConsole()))
})
