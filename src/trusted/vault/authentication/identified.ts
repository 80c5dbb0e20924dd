import { utf8 } from '../../base/bytes.ts'
import { costs } from '../../base/costs.ts'
import { errorBody, Failure } from '../../base/failure.ts'
import type { Work } from '../../base/work.ts'
import type { Identified, IdentifyRequest } from '../../../protocol/vault.ts'
import { compiledChartersOf } from '../charters/compiled-charters-of.ts'
import { outdated } from '../memory/rollback-guard.ts'
import { checkRecoveryKey } from '../recovery/recovery-keys.ts'
import type { VaultContext } from '../vault-context.ts'
import { ATTESTED_SCHEME, identify, type Operation } from './identify.ts'
import { readOnlySigner } from './read-only.ts'
import { stamperOf } from './stamper-of.ts'

const ATTESTABLE_QUERY: Operation = { operation: 'a query', attestable: true }

/** The signer of a query, or the reason why nobody is. */
export async function identified(
  vaultContext: VaultContext,
  request: IdentifyRequest,
  work: Work,
): Promise<Identified> {
  const { body, stamp: headers, organizationId, clientAddress, answers = [] } = request
  work.charge(costs.request)
  const now = vaultContext.world.now()
  try {
    const charters = await compiledChartersOf(vaultContext, organizationId, request.charters, { work, now })
    if (charters.kind === 'needs') return charters
    if (headers.xSession !== undefined) return readOnlySigner(vaultContext, request, charters)
    const stamped = { body: utf8(body), headers, organizationId, clientAddress, answers }
    const query = request.attestable === true ? ATTESTABLE_QUERY : undefined
    const result = await identify({ ...vaultContext, work }, stamped, query, charters, now)
    if (result.kind !== 'identity') return result
    checkRecoveryKey(result.identity, undefined)
    const { user, compiled, proof } = result.identity
    const { userName } = user
    const tokenKey = proof.scheme === ATTESTED_SCHEME ? { tokenKey: proof.publicKey } : {}
    const { organizationName } = compiled.charter
    const { homeId, ...stamper } = stamperOf(result.identity)
    return { kind: 'signer', userName, organizationId: homeId, organizationName, ...stamper, ...tokenKey }
  } catch (error) {
    if (error instanceof Failure) return { kind: 'refused', error: errorBody(error) }
    return outdated(error)
  }
}
