import { isAddressAllowed } from '../../charter/ip-allowlist.ts'
import { requireOneStamp } from '../../crypto/stamp.ts'
import { openReadOnlySession } from '../../crypto/read-only-session.ts'
import { addressNotAllowed, stampNotAccepted } from '../failures.ts'
import type { VaultContext } from '../vault-context.ts'
import type { Identified, IdentifyRequest } from '../../../protocol/vault.ts'
import type { OwnAndParent } from '../charters/compiled-charters-of.ts'

/** The user of a read-only session: a user of the addressed organization or of its parent who still exists. */
export function readOnlySigner(
  { service, world }: VaultContext,
  { stamp, clientAddress }: IdentifyRequest,
  { own, parent }: OwnAndParent,
): Identified {
  const sent = requireOneStamp(stamp)
  if (sent.kind !== 'session') throw stampNotAccepted({ kind: 'X-Session', operation: 'a query' })
  const now = world.now()
  const session = openReadOnlySession(sent.session, service.readSessionKeys(now), now)
  const { organizationId, parentId } = own.charter
  if (session.organizationId === parentId && parent === undefined)
    return { kind: 'needs', charters: [session.organizationId] }
  const compiled = session.organizationId === organizationId ? own : parent
  const user = compiled?.charter.users.find(({ userId }) => userId === session.userId)
  if (
    compiled === undefined ||
    user === undefined ||
    compiled.charter.organizationId !== session.organizationId
  )
    throw stampNotAccepted({ kind: 'X-Session', operation: 'a query of this organization' })
  const { charter } = compiled
  if (clientAddress !== undefined && !isAddressAllowed(charter, undefined, clientAddress))
    throw addressNotAllowed({ organizationId: charter.organizationId })
  const { userId, userName } = user
  return {
    kind: 'signer',
    userId,
    userName,
    organizationId: charter.organizationId,
    organizationName: charter.organizationName,
  }
}
