import { Bug } from '../../base/assert.ts'
import { Failure } from '../../base/failure.ts'
import type { Work } from '../../base/work.ts'
import type { CharterRow } from '../../catalogue/unit.ts'
import type { Charter, Oauth2Credential } from '../../charter/charter.ts'
import { renewedQuorumEnvelope } from '../../crypto/quorum-envelope.ts'
import { Older } from './rollback-guard.ts'
import { costOfCharter } from '../seals/row-costs.ts'
import { fitsCharter, openCharter, sealCharter } from '../seals/seals.ts'
import { oauth2Secrets } from '../keys/service-keys.ts'
import type { VaultContext } from '../vault-context.ts'

/**
 * Re-encrypts the client secrets of charters that are under another version of their key than the current one, as the
 * next version of each charter. A charter that was rolled back, or has no seal of this vault, is reported and left
 * unchanged.
 *
 * @see  docs/decisions/service-keys.md
 */
export async function renewedCharters(
  means: Pick<VaultContext, 'keyring' | 'memory' | 'world'>,
  rows: readonly CharterRow[],
  troubles: string[],
  work: Work,
): Promise<readonly CharterRow[]> {
  const { keyring, memory, world } = means
  const renewed: CharterRow[] = []
  for (const row of rows) {
    await work.step(costOfCharter(row))
    try {
      const charter = openCharter(keyring, row)
      const { organizationId, version: revision, seal } = row
      memory.charters.check(organizationId, { revision, seal }, world.now(), (known) =>
        fitsCharter(keyring, row, known),
      )
      const next = withRenewedSecrets(charter, means)
      if (next !== undefined) renewed.push(sealCharter(keyring, next))
    } catch (error) {
      if (!(error instanceof Older) && !(error instanceof Bug)) throw error
      // It may have been reported already, as a row to reseal.
      if (!troubles.includes(error.message)) troubles.push(error.message)
    }
  }
  return renewed
}

/** Undefined where all of them are under the current version. */
function withRenewedSecrets(
  charter: Charter,
  means: Pick<VaultContext, 'keyring' | 'world'>,
): Charter | undefined {
  const oauth2Credentials = charter.oauth2Credentials.map((credential) =>
    renewedCredential(credential, means),
  )
  if (oauth2Credentials.every((credential, at) => credential === charter.oauth2Credentials[at]))
    return undefined
  return { ...charter, version: charter.version + 1, oauth2Credentials }
}

function renewedCredential(
  credential: Oauth2Credential,
  { keyring, world }: Pick<VaultContext, 'keyring' | 'world'>,
): Oauth2Credential {
  try {
    const { encryptedClientSecret: kept } = credential
    const encryptedClientSecret = renewedQuorumEnvelope(kept, oauth2Secrets(keyring), world.randomBytes)
    return encryptedClientSecret === undefined ? credential : { ...credential, encryptedClientSecret }
  } catch (error) {
    // No held version opens it, so no version has to be kept for it.
    if (error instanceof Failure) return credential
    throw error
  }
}
