import type { Loader } from '../store/loader.ts'
import { CopyError } from './copy-error.ts'
import type { CopyManifest } from './copy-file.ts'
import { copiedTables, type RowPage, type RowSource } from './row-source.ts'
import { TableDigests } from './table-digests.ts'

type Tables = CopyManifest['tables']

/** Puts all rows of a source into an empty store; returns their digests. */
export async function loadRows(
  source: RowSource,
  loader: Loader,
  { lastJob, paused }: { readonly lastJob: number; readonly paused: (page: RowPage) => void },
): Promise<Tables> {
  const digests = new TableDigests()
  for await (const page of source.pages()) {
    digests.add(page)
    await loader.put<RowPage['table']>(page.table, page.rows)
    paused(page)
  }
  await loader.setLastJob(lastJob)
  return digests.result()
}

export async function digestsOf(source: RowSource, paused: (page: RowPage) => void): Promise<Tables> {
  const digests = new TableDigests()
  for await (const page of source.pages()) {
    digests.add(page)
    paused(page)
  }
  return digests.result()
}

/** @throws CopyError that names the table in which two stores differ */
export function checkSame(one: Tables, other: Tables): void {
  for (const table of copiedTables)
    if (one[table].rows !== other[table].rows || one[table].sha256 !== other[table].sha256)
      throw new CopyError(
        `the two stores are not the same: ${table} has ${one[table].rows} rows here and ${other[table].rows} there, or other ones`,
      )
}
