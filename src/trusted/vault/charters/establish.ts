import { emptyUnit } from '../../catalogue/unit.ts'
import { idAt } from '../../base/ids.ts'
import { apiKeyType, readApiKey } from '../../charter/api-keys.ts'
import { type Charter, noCredentials, nothingYet } from '../../charter/charter.ts'
import { randomBytesAt } from '../decision/drawing.ts'
import type { VaultContext } from '../vault-context.ts'
import type { Established, EstablishRequest } from '../../../protocol/vault.ts'
import { sealCharter } from '../seals/seals.ts'

/**
 * A new top-level organization with one root user who holds one API key. It has no rights in any other organization, so
 * the host may request one.
 */
export function establish(vaultContext: VaultContext, request: EstablishRequest): Established {
  const { world, keyring, memory } = vaultContext
  const now = world.now()
  const place = () => ({ organizationId: '', userId: '', kind: 'establish' })
  const newId = () => idAt(now, randomBytesAt(vaultContext, place))
  const organizationId = newId()
  const userId = newId()
  const publicKey = readApiKey(request.curveType, request.publicKey)
  const times = { createdAt: now, updatedAt: now }
  const type = apiKeyType(request.curveType)
  const charter: Charter = {
    organizationId,
    organizationName: request.organizationName,
    parentId: null,
    version: 1,
    deleted: false,
    ...times,
    rootQuorum: { threshold: 1, userIds: [userId] },
    users: [
      {
        userId,
        userName: request.userName,
        ...noCredentials,
        apiKeys: [{ apiKeyId: newId(), apiKeyName: request.apiKeyName, publicKey, type, ...times }],
        ...times,
      },
    ],
    ...nothingYet,
  }
  const unit = {
    ...emptyUnit,
    guards: [{ organizationId, version: 0 }],
    charters: [sealCharter(keyring, charter)],
  }
  return { organizationId, userId, unit, ticket: memory.handOut(unit, now) }
}
