import type { Vault } from '../../protocol/vault.ts'
import { keyOfRow } from '../store/scan.ts'
import type { TableRows } from '../store/tables.ts'
import { ARCHIVE_NOTE, archiveText, readArchiveNote } from './archive-note.ts'
import { explainIndex } from './explain-index.ts'
import type { RowPage, RowSource } from './row-source.ts'
import { ROOT_PROOF_NOTE } from './root-proof-note.ts'
import { RESTORED_NOTE, notedProofs } from './restored-note.ts'
import { verifyRequest } from './verify-request.ts'
import { addProblem, type VerifyState } from './verify-state.ts'

/**
 * Verifies all rows, from the position in `state`: each seal and each secret in the vault, and the indexes by the
 * entries that the vault requires. Several pages are under way to the vault at once.
 *
 * @param paused  called after this many rows, when no page is under way: the state may be saved, to continue from there
 *                another time
 */
export async function verifyRows(
  source: RowSource,
  vault: Pick<Vault, 'verify' | 'checkRootProof'>,
  {
    state,
    isWhole = true,
    pauseAfterRows,
    paused,
  }: {
    readonly state: VerifyState
    /** False for the rows of one organization, which have no indexes and notes. */
    readonly isWhole?: boolean
    readonly pauseAfterRows: number
    readonly paused: () => Promise<void>
  },
): Promise<void> {
  if (state.position !== undefined) {
    const underWay = new Set<Promise<void>>()
    let rowsSince = 0
    for await (const page of source.pages(state.position)) {
      // An error of a verification is thrown below, at its await.
      const verifying = verifyPage(page, vault, state).finally(() => underWay.delete(verifying))
      verifying.catch(() => undefined)
      underWay.add(verifying)
      if (underWay.size >= UNDER_WAY_MAX) await Promise.race(underWay)
      state.counts[page.table] += page.rows.length
      rowsSince += page.rows.length
      if (rowsSince < pauseAfterRows) continue
      await Promise.all(underWay)
      const last = page.rows.at(-1)
      state.position = { table: page.table, after: last && keyOfRow(page.table, last) }
      rowsSince = 0
      await paused()
    }
    await Promise.all(underWay)
    for (const orderingKey of state.orderingKeys)
      addProblem(state, {
        what: `ordering key ${orderingKey}`,
        problem: 'it is missing, and its jobs are never taken',
      })
    if (isWhole && !state.isProven)
      addProblem(state, {
        what: `note ${ROOT_PROOF_NOTE}`,
        problem: 'it is missing, and with it the proof of the root key',
      })
    state.position = undefined
    await paused()
  }
  if (!isWhole) return
  const unequal = state.sums.unequal()
  if (unequal.size > 0) await explainIndex(source, vault, state, unequal)
}

const UNDER_WAY_MAX = 4

async function verifyPage(
  page: RowPage,
  vault: Pick<Vault, 'verify' | 'checkRootProof'>,
  state: VerifyState,
): Promise<void> {
  switch (page.table) {
    case 'claims':
    case 'directory':
      for (const row of page.rows) state.sums.found(page.table, row)
      return
    case 'orderingKeys':
      for (const { orderingKey } of page.rows)
        if (!state.orderingKeys.delete(orderingKey))
          addProblem(state, { what: `ordering key ${orderingKey}`, problem: 'no job waits under it' })
      return
    case 'notes':
      for (const row of page.rows) await verifyNote(row, vault, state)
      return
    default:
      if (page.table === 'jobs')
        for (const { dead, orderingKey } of page.rows) if (dead === 0) state.orderingKeys.add(orderingKey)
      await verifySealed(page, vault, state)
  }
}

async function verifySealed(page: RowPage, vault: Pick<Vault, 'verify'>, state: VerifyState): Promise<void> {
  const { request, problems: untaken } = verifyRequest(page)
  const { problems, claims, directory } = await vault.verify(request)
  for (const problem of [...untaken, ...problems]) addProblem(state, problem)
  for (const claim of claims) state.sums.expect('claims', claim)
  for (const entry of directory) state.sums.expect('directory', entry)
}

/** Notes with a proof: of the root key of the data, of restores, and of archives. */
async function verifyNote(
  { name, value }: TableRows['notes'],
  vault: Pick<Vault, 'checkRootProof'>,
  state: VerifyState,
): Promise<void> {
  if (name === ROOT_PROOF_NOTE) state.isProven = true
  for (const [challenge = '', proof = '', ...more] of proofsIn(name, value))
    if (more.length > 0 || (await vault.checkRootProof({ challenge, proof })) !== 'own')
      addProblem(state, { what: `note ${name}`, problem: 'its proof is not one of this root key' })
}

function proofsIn(name: string, value: string): readonly (readonly string[])[] {
  if (name === ROOT_PROOF_NOTE) return [value.split(' ')]
  if (name === RESTORED_NOTE) return notedProofs(value)
  if (!name.startsWith(ARCHIVE_NOTE)) return []
  const archive = readArchiveNote(name, value)
  return [archive === undefined ? [] : [archiveText(archive), archive.proof]]
}
