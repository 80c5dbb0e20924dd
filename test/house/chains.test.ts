import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { importsOf } from '../../src/host/cli/module-graph.ts'
import { type Source, sources } from './sources.ts'

const CHAINS = 'src/trusted/chains/'
const LIST = `${CHAINS}list.ts`

/** What a transaction of each chain is in words, for persons who approve it. */
const WORDS = 'src/host/approval/chains/'

/**
 * Files that import from the folder of a chain and are neither in one nor the list of chains, nor say what one means.
 */
function outsiders(files: readonly Source[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    folderOf(path) !== undefined || path === LIST || path.startsWith(WORDS)
      ? []
      : importsOf(text)
          .filter(({ specifier }) => specifier.startsWith('.'))
          .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
          .filter((target) => folderOf(target) !== undefined)
          .map((target) => `${path} imports ${target}`),
  )
}

function folderOf(path: string): string | undefined {
  return path.startsWith(CHAINS) ? path.slice(CHAINS.length).match(/^([^/]+)\//)?.[1] : undefined
}

test('nothing but the list of chains, other chains, and what says them in words imports from the folder of a chain', () => {
  const files = sources()
  assert.ok(files.some(({ path }) => path === LIST))
  assert.deepEqual(outsiders(files), [])
})

test('every folder of a chain declares one, and the list has it', () => {
  const list = sources().find(({ path }) => path === LIST)?.text ?? ''
  const folders = new Set(sources().flatMap(({ path }) => folderOf(path) ?? []))
  for (const folder of folders) assert.match(list, new RegExp(`from './${folder}/${folder}\\.ts'`))
  assert.equal(importsOf(list).filter(({ specifier }) => specifier.includes('/')).length - 1, folders.size)
})

const FORMATS = `${CHAINS}address-format.ts`
/** An example of an organization, for test suites. */
const EXAMPLE = 'src/host/emulator/treasury.ts'
/** What a payment of an agent is, on each chain on which agents pay. */
const PAYMENTS = 'src/host/cli/agent/payment-chains.ts'
/** Derived from the list of chains. */
const KNOWN = 'src/host/approval/known-chains.ts'

/** Files that name a type, an encoding or a format of one chain, beyond an example that they show. */
function naming(files: readonly Source[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    if (folderOf(path) !== undefined || [FORMATS, EXAMPLE, PAYMENTS, KNOWN].includes(path)) return []
    const withoutExamples = text.replace(/^ {2}example: \{$[^]*?^ {2}\},$/m, '')
    const names = withoutExamples.match(NAMES) ?? []
    return names.map((name) => `${path} names ${name}`)
  })
}

const NAMES =
  /\b(TRANSACTION_TYPE|PAYLOAD_ENCODING_EIP|SMART_CONTRACT_INTERFACE_TYPE|ADDRESS_FORMAT)_?[A-Z0-9]\w*|_P2TR\b/g

test('types, encodings and formats of chains are named where they are declared, and in examples', () => {
  assert.deepEqual(naming(sources()), [])
})

test('a file that names the format of one chain is seen', () => {
  const path = 'src/trusted/activities/signing/planted.ts'
  for (const text of [
    "if (addressFormat.endsWith('_P2TR')) return 'taproot'",
    "return addressFormat.startsWith('ADDRESS_FORMAT_SPARK_')",
    "if (type === 'TRANSACTION_TYPE_TRON') return",
    "  example: {\n    format: 'ADDRESS_FORMAT_XRP',\n  },\n  type: 'TRANSACTION_TYPE_TRON'",
  ])
    assert.equal(naming([{ path, text }]).length, 1, text)
})

test('a file that imports from the folder of a chain is seen', () => {
  const path = 'src/trusted/activities/signing/planted.ts'
  for (const text of [
    "import { tron } from '../../chains/tron/tron.ts'",
    "import type { Psbt } from '../../chains/bitcoin/psbt.ts'",
  ])
    assert.equal(outsiders([{ path, text }]).length, 1, text)
  assert.deepEqual(outsiders([{ path, text: "import { chains } from '../../chains/list.ts'" }]), [])
})
