import type { Vault } from '../../../protocol/vault.ts'
import { damaged } from '../copy-error.ts'
import { notOpenedAtFirst } from '../not-opened.ts'
import { isPlain } from '../../../trusted/base/plain.ts'
import { checkBeginning, checkedManifest } from '../checked-copy.ts'
import { type CopyManifest, copyManifest, fieldsOfTables } from '../copy-file.ts'
import { openCopyKey } from '../copy-key.ts'
import type { ReadHeader } from '../copy-header.ts'
import { jsonIn } from '../../../trusted/base/json-in.ts'
import type { OpenedCopy } from '../opened-copy.ts'
import { readAhead } from '../read-ahead.ts'
import type { RowPage } from '../row-source.ts'
import type { StoredFile } from '../stored-file.ts'
import { TableDigests } from '../table-digests.ts'
import {
  type ArchiveContent,
  type ArchiveEntry,
  ArchiveKinds,
  contentOfRow,
  joinedContent,
} from './archive-entry.ts'
import { type ArchiveReader, archiveReader } from './archive-reader.ts'

/**
 * Reads an archive from its first row to its last, and checks that every row can be found through the entries.
 *
 * @throws CopyError
 */
export async function openArchive(
  file: StoredFile,
  { header, text, id }: ReadHeader,
  vault: Pick<Vault, 'copyKey' | 'checkRootProof'>,
  { identities, schema }: { readonly identities: readonly string[]; readonly schema: number },
): Promise<OpenedCopy> {
  const fileKey = await openCopyKey(vault, header.key, identities)
  const reader = await archiveReader(readAhead(file), {
    fileKey,
    header: text,
    compression: header.compression,
  }).catch((error: unknown) => {
    throw notOpenedAtFirst(error, header.key)
  })
  const manifest = jsonIn(reader.end.manifest)
  if (!isPlain(copyManifest, manifest)) throw damaged('its manifest cannot be read')
  const { tables: _, ...about } = manifest
  const beginning = { ...about, fields: { ...fieldsOfTables(), activities: reader.end.fields } }
  checkBeginning(beginning, schema)
  const { archive } = manifest
  const { leastId, greatestId } = reader.end.root
  if (archive?.leastId !== leastId || archive.greatestId !== greatestId)
    throw damaged('its entries are not those of its manifest')
  return {
    id,
    beginning,
    pages: async function* (): AsyncGenerator<RowPage, CopyManifest> {
      const digests = new TableDigests()
      for await (const page of pagesOf(reader)) {
        digests.add(page)
        yield page
      }
      return await checkedManifest(reader.end, { digests, beginning }, vault)
    },
  }
}

async function* pagesOf(reader: ArchiveReader): AsyncGenerator<RowPage> {
  const { root, kinds } = reader.end
  const known = new ArchiveKinds(kinds)
  const pagesIn = async function* (entry: ArchiveEntry): AsyncGenerator<RowPage> {
    if (entry.level === 0) {
      const rows = await reader.rows(entry)
      checkContent(
        entry,
        rows.map((row) => contentOfRow(row, known)),
      )
      return yield { table: 'activities', rows }
    }
    const entries = await reader.entries(entry)
    checkContent(entry, entries)
    for (const next of entries) {
      if (next.level !== entry.level - 1) throw damaged('its entries do not lead to its rows')
      yield* pagesIn(next)
    }
  }
  yield* pagesIn(root)
}

/** Whether an entry agrees with the content of its block: queries would miss a row that it leaves out. */
function checkContent(entry: ArchiveEntry, parts: readonly ArchiveContent[]): void {
  const says = joinedContent([entry])
  if (JSON.stringify(says) !== JSON.stringify(joinedContent(parts)))
    throw damaged('its entries are not those of its rows')
}
