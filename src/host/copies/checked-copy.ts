import { createHash } from 'node:crypto'
import type { Vault } from '../../protocol/vault.ts'
import { jsonIn } from '../../trusted/base/json-in.ts'
import { isPlain } from '../../trusted/base/plain.ts'
import type { Table } from '../store/tables.ts'
import { checkOrigin } from './check-origin.ts'
import { CopyError } from './copy-error.ts'
import {
  type CopyBeginning,
  type CopyEnd,
  type CopyManifest,
  copyManifest,
  fieldsOfTables,
  manifestChallenge,
} from './copy-file.ts'
import { damaged } from './damaged-copy.ts'
import type { TableDigests } from './table-digests.ts'

/**
 * What the beginning of a copy says must be readable by this version.
 *
 * @param schema  the newest step that this version knows; a backup of a newer one is refused
 */
export function checkBeginning(beginning: CopyBeginning, schema: number): void {
  if (beginning.schema > schema)
    throw new CopyError(
      `the backup was made by a newer version of Claviger (${beginning.claviger}): restore it with that version or a later one`,
    )
  checkFields(beginning)
}

/** The fields of a table are those of this version: an older copy of the schema has none yet that this one lacks. */
function checkFields({ fields }: CopyBeginning): void {
  // The tables have these names and no others.
  for (const [table, own] of Object.entries(fieldsOfTables()))
    if (JSON.stringify(fields[table as Table]) !== JSON.stringify(own))
      throw damaged(`its table ${table} has other columns than this version knows`)
}

/** The manifest in the last line of a copy, once it is the vault's and that of the rows which were read. */
export async function checkedManifest(
  { manifest: text, proof }: CopyEnd,
  { digests, beginning }: { readonly digests: TableDigests; readonly beginning: CopyBeginning },
  vault: Pick<Vault, 'checkRootProof'>,
): Promise<CopyManifest> {
  const sha256 = createHash('sha256').update(text).digest('hex')
  checkOrigin(await vault.checkRootProof({ challenge: manifestChallenge(sha256), proof }))
  const manifest = jsonIn(text)
  if (!isPlain(copyManifest, manifest)) throw damaged('its manifest cannot be read')
  const { lastJob, copiedAt, organizationId, archive } = manifest
  const isOther = JSON.stringify(digests.result()) !== JSON.stringify(manifest.tables)
  if (
    isOther ||
    lastJob !== beginning.lastJob ||
    copiedAt !== beginning.copiedAt ||
    organizationId !== beginning.organizationId ||
    JSON.stringify(archive) !== JSON.stringify(beginning.archive)
  )
    throw damaged('its rows are not those of its manifest')
  return manifest
}
