import type { Vault } from '../../protocol/vault.ts'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import { CopyError } from './copy-error.ts'
import { verifyRequest } from './verify-request.ts'

/** @throws CopyError if the vault has not sealed one of these rows */
export async function checkRows(vault: Pick<Vault, 'verify'>, rows: readonly ActivityRow[]): Promise<void> {
  if (rows.length === 0) return
  const { request, problems: untaken } = verifyRequest({ table: 'activities', rows })
  const { problems } = await vault.verify(request)
  const [problem] = [...untaken, ...problems]
  if (problem !== undefined) throw new CopyError(`${problem.what}: ${problem.problem}`)
}
