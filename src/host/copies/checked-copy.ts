import type { Vault } from '../../protocol/vault.ts'
import { jsonIn } from '../../trusted/base/json-in.ts'
import { isPlain } from '../../trusted/base/plain.ts'
import type { Table } from '../store/tables.ts'
import { checkOrigin } from './check-origin.ts'
import { CopyError, damaged } from './copy-error.ts'
import {
  type CopyBeginning,
  type CopyEnd,
  type CopyManifest,
  copyManifest,
  fieldsOfTables,
  manifestChallenge,
} from './copy-file.ts'
import type { TableDigests } from './table-digests.ts'

/**
 * Checks that this version can read the copy that this beginning describes.
 *
 * @param schema  the newest step that this version knows; a newer backup is refused
 */
export function checkBeginning(beginning: CopyBeginning, schema: number): void {
  if (beginning.schema > schema)
    throw new CopyError(
      `the backup was made by a newer version of Claviger (${beginning.claviger}): restore it with that version or a later one`,
    )
  checkFields(beginning)
}

/** The fields of a table are those of this version: an older copy may lack some of them. */
function checkFields({ fields }: CopyBeginning): void {
  // These are exactly the names of the tables.
  for (const [table, own] of Object.entries(fieldsOfTables()))
    if (JSON.stringify(fields[table as Table]) !== JSON.stringify(own))
      throw damaged(`its table ${table} has other columns than this version knows`)
}

/** The manifest in the last line of a copy, if the vault has proven it and the rows agree with it. */
export async function checkedManifest(
  { manifest: text, proof }: CopyEnd,
  { digests, beginning }: { readonly digests: TableDigests; readonly beginning: CopyBeginning },
  vault: Pick<Vault, 'checkRootProof'>,
): Promise<CopyManifest> {
  checkOrigin(await vault.checkRootProof({ challenge: manifestChallenge(text), proof }))
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
