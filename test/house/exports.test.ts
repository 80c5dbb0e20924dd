import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Export, exportsOf, modules } from './exported.ts'
import type { Source } from './sources.ts'

/** What only tests and benchmarks import, although it stands with the service, and why. */
const forTests: { readonly [why: string]: readonly string[] } = {
  'runs to its end at once what the service does in steps, and says what those steps promise': [
    'src/trusted/chains/bitcoin/read-bitcoin-preimage.ts readBitcoinPreimage',
    'src/trusted/chains/bitcoin/read-bitcoin-transaction.ts readBitcoinTransaction',
    'src/trusted/chains/ethereum/abi.ts readCall',
    'src/trusted/chains/ethereum/eip712-digest.ts typedDataDigest',
    'src/trusted/chains/ethereum/transaction.ts readEthereumTransaction',
    'src/trusted/chains/read-transaction.ts readTransaction',
    'src/trusted/chains/seen-payload.ts seenInPayload',
    'src/trusted/chains/solana/raw-message.ts readSolanaMessage',
    'src/trusted/chains/solana/transaction.ts readSolanaTransaction',
    'src/trusted/chains/tempo/transaction.ts readTempoTransaction',
    'src/trusted/policy/decide.ts decidePolicies',
    'src/trusted/policy/eligible-voters.ts eligibleVoters',
  ],
  'is what a package with dependencies of its own is loaded for, by its address': [
    'packages/aws-kms/src/aws-kms.ts keyService',
    'packages/azure-key-vault/src/azure-key-vault.ts keyService',
    'packages/google-kms/src/google-kms.ts keyService',
    'packages/opentelemetry/src/opentelemetry.ts tracing',
    'packages/s3/src/s3.ts bucketStorage',
  ],
}

/**
 * Exports that no file imports. Tests find fixtures and dearest requests by the names of their files, and the build of
 * the console puts the files of `platform/` in the place of modules that a page does not have, and writes the lines
 * that load texts.
 */
function unused(files: readonly Source[]): readonly string[] {
  return exportsOf(files)
    .filter(
      ({ path, importers }) =>
        importers.length === 0 &&
        !/\.(fixture|dearest)\.ts$|^console\/(platform\/|words\/loaded-texts)/.test(path),
    )
    .map(nameOf)
}

/** Exports of the service that the service itself uses nowhere, their own file included. */
function usedByTestsAlone(files: readonly Source[]): readonly string[] {
  return exportsOf(files)
    .filter(({ path, importers }) => !isTest(path) && importers.length > 0 && importers.every(isTest))
    .filter(({ isUsedWithin }) => !isUsedWithin)
    .map(nameOf)
}

function nameOf({ path, name }: Export): string {
  return `${path} ${name}`
}

function isTest(path: string): boolean {
  return /\.test\.ts$|\/testing\/|^(packages\/[\w-]+\/)?test\/|^bench\//.test(path)
}

test('a file exports what another file imports, and nothing else', () => {
  const files = modules()
  assert.ok(files.length > 1_000)
  assert.deepEqual(unused(files), [])
})

test('what only tests use stands in a folder `testing`, or is there for a stated reason', () => {
  assert.deepEqual(usedByTestsAlone(modules()).toSorted(), Object.values(forTests).flat().toSorted())
})

test('an export that nobody imports, or tests alone, is seen', () => {
  const planted = [
    { path: 'src/host/a.ts', text: 'export const a = 1\nexport type B = string\nexport function c() {}\n' },
    { path: 'src/host/b.ts', text: "import { a, type B as Other } from './a.ts'\nexport { a as d }\n" },
    { path: 'src/host/e.ts', text: 'export class E {}\nexport const f = 2\nexport const g = f\n// E, e\n' },
    { path: 'src/host/e.test.ts', text: "import { E, f, g } from './e.ts'" },
    { path: 'src/host/h.ts', text: "import * as whole from './i.ts'\nconst later = await import('./j.ts')" },
    { path: 'src/host/i.ts', text: 'export const i = 1' },
    { path: 'src/host/j.ts', text: 'export async function* j() {}' },
  ]
  assert.deepEqual(unused(planted), ['src/host/a.ts c', 'src/host/b.ts d'])
  assert.deepEqual(usedByTestsAlone(planted), ['src/host/e.ts E', 'src/host/e.ts g'])
})
