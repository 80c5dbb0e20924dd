import type { AnnounceRequest, Vault } from '../../protocol/vault.ts'
import type { JobRow } from '../../trusted/catalogue/unit.ts'
import type { TableRows } from '../store/tables.ts'
import { verifyRequest } from './verify-request.ts'

type Charters = readonly TableRows['charters'][]

type Announced = {
  readonly jobs: readonly JobRow[]
  /** The organizations whose charter the vault cannot verify: the addresses in it may be those of anybody. */
  readonly unread: readonly string[]
}

/**
 * The mails to the root users of these organizations. A charter that the vault cannot verify gets none, and does not
 * keep the others from theirs.
 *
 * @param announce  asks the vault for the mails
 */
export async function announced(
  vault: Pick<Vault, 'verify'>,
  charters: Charters,
  announce: (charters: AnnounceRequest['charters']) => Promise<{ readonly jobs: readonly JobRow[] }>,
): Promise<Announced> {
  try {
    return { ...(await announce(charters)), unread: [] }
  } catch (error) {
    const verified = await verifiedAmong(vault, charters)
    if (verified.length === charters.length) throw error
    const { jobs } = await announce(verified)
    const unread = charters.filter((row) => !verified.includes(row))
    return { jobs, unread: unread.map(({ organizationId }) => organizationId) }
  }
}

async function verifiedAmong(vault: Pick<Vault, 'verify'>, charters: Charters): Promise<Charters> {
  const verified: TableRows['charters'][] = []
  for (const row of charters) {
    const { request, problems } = verifyRequest({ table: 'charters', rows: [row] })
    if (problems.length === 0 && (await vault.verify(request)).problems.length === 0) verified.push(row)
  }
  return verified
}
