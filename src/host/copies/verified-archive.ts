import type { Vault } from '../../protocol/vault.ts'
import { SCHEMA_STEP } from '../store/schema-step.ts'
import { CopyError } from './copy-error.ts'
import type { ArchiveName } from './archive-note.ts'
import type { CopyManifest } from './copy-file.ts'
import type { OpenedCopy } from './opened-copy.ts'
import { openCopy } from './read-copy.ts'
import type { StoredFile } from './stored-file.ts'
import { newVerifyState } from './verify-state.ts'
import { verifyRows } from './verify-rows.ts'

export type VerifiedArchive = { readonly copy: OpenedCopy; readonly manifest: CopyManifest }

/**
 * Reads a file to its end, and lets the vault verify each row.
 *
 * @throws CopyError if it is damaged, is not the archive of its name, or has a wrong row
 */
export async function verifiedArchive(
  file: StoredFile,
  {
    vault,
    identities,
    paused = async () => {},
  }: {
    readonly vault: Pick<Vault, 'copyKey' | 'checkRootProof' | 'verify'>
    readonly identities: readonly string[]
    readonly paused?: (step: 'verified', rows: number) => Promise<void>
  },
  { month, part }: ArchiveName,
): Promise<VerifiedArchive> {
  const copy = await openCopy(file, vault, { identities, schema: SCHEMA_STEP })
  const { path } = file
  const { archive } = copy.beginning
  if (archive?.month !== month || archive.part !== part)
    throw new CopyError(`${path} is not the archive of ${month}, part ${part}`)
  let manifest: CopyManifest | undefined
  const source = {
    pages: async function* () {
      manifest = yield* copy.pages()
    },
  }
  const state = newVerifyState('')
  let told = 0
  await verifyRows(source, vault, {
    state,
    isWhole: false,
    pauseAfterRows: ROWS_BETWEEN,
    paused: async () => {
      await paused('verified', state.counts.activities - told)
      told = state.counts.activities
    },
  })
  const [problem] = state.problems
  if (problem !== undefined)
    throw new CopyError(
      `${path}: ${problem.what}: ${problem.problem}${state.problemCount > 1 ? `, and ${state.problemCount - 1} more rows` : ''}; claviger verify lists what is wrong in the store`,
    )
  if (manifest === undefined) throw new Error('an archive ends with its manifest')
  return { copy, manifest }
}

const ROWS_BETWEEN = 20_000
