import type { Vault } from '../../protocol/vault.ts'
import type { DirectoryEntry } from '../../trusted/catalogue/unit.ts'
import { mayBeAbsent, type Index, outlivesItsObject } from './index-sums.ts'
import type { RowSource } from './row-source.ts'
import { addProblem, type VerifyState } from './verify-state.ts'
import { verifyRequest } from './verify-request.ts'

/** Reads the rows in the non-zero buckets again, and names each missing or surplus row. */
export async function explainIndex(
  source: RowSource,
  vault: Pick<Vault, 'verify'>,
  state: VerifyState,
  buckets: ReadonlySet<number>,
): Promise<void> {
  /** By their names: whether earlier versions did not write them. */
  const missing = new Map<string, boolean>()
  const isDoubted = (index: Index, entry: DirectoryEntry): boolean =>
    !outlivesItsObject(index, entry) && buckets.has(state.sums.bucketOf(index, entry))
  for await (const page of source.pages()) {
    if (page.table === 'charters' || page.table === 'objects') {
      const { claims, directory } = await vault.verify(verifyRequest(page).request)
      for (const [index, entries] of [
        ['claims', claims],
        ['directory', directory],
      ] as const)
        for (const entry of entries)
          if (isDoubted(index, entry)) missing.set(nameOf(index, entry), mayBeAbsent(index, entry))
    } else if (page.table === 'claims' || page.table === 'directory') {
      const index = page.table
      for (const entry of page.rows) {
        const isExpected = !isDoubted(index, entry) || missing.delete(nameOf(index, entry))
        if (!isExpected) addProblem(state, { what: nameOf(index, entry), problem: 'nothing has it' })
      }
    }
  }
  for (const [what, isLater] of missing) if (!isLater) addProblem(state, { what, problem: 'it is missing' })
}

function nameOf(index: Index, { scope, kind, value, target }: DirectoryEntry): string {
  const what = index === 'claims' ? 'claim' : 'entry of the directory'
  return `${what} ${kind} ${JSON.stringify(value)} of ${scope}, which leads to ${target}`
}
