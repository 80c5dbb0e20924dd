import { readFileSync } from 'node:fs'
import { toHex, utf8 } from '../../trusted/base/bytes.ts'
import type { World } from '../../trusted/base/world.ts'
import { RECOVERY_ATTEMPT_FEATURE, readRecoveryStep } from '../../trusted/charter/organization-recovery.ts'
import { isP256Secret, p256PublicKeyOf, p256Signer, signP256Message } from '../../trusted/crypto/p256.ts'
import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'
import type { SealMeans } from '../seal.ts'
import type { Purpose } from '../shamir/collect-shares.ts'
import { givenShares } from '../shamir/given-shares.ts'
import { shareDigest } from '../shamir/share-set.ts'
import { readOrganizationSet } from './organization-set.ts'

/** The use of the restored key; the key itself never leaves the process. */
export type Restored = {
  /** The numbers of the shares that were given. */
  readonly shares: readonly number[]
  /** The activity that it stamped: its body, and the signature in hexadecimal. Absent for a rehearsal. */
  readonly stamped?: { readonly body: string; readonly signature: string }
}

/**
 * Collects the needed shares of an organization's set, restores its key, and stamps the requested step; a rehearsal
 * only checks that the shares restore the key.
 *
 * @throws RootKeyError
 */
export async function restoredForOrganization(
  { environment }: Pick<SealMeans, 'environment'>,
  now: World['now'],
): Promise<Restored> {
  const set = readOrganizationSet(readFileSync(environment['CLAVIGER_RECOVERY_SET'] ?? '', 'utf8'))
  const { organizationId, publicKey } = set
  const step = environment['CLAVIGER_RECOVERY_STEP']
  const purpose = purposeOf(step)
  const { shares, secret } = await givenShares(set, { boundTo: publicKey, purpose, environment })
  try {
    if (!isP256Secret(secret.reveal()) || p256PublicKeyOf(secret.reveal()) !== publicKey)
      throw new RootKeyError('the shares give another key than the one of this set')
    const numbers = shares.map((share) => set.shares.indexOf(shareDigest(share, publicKey)) + 1)
    const given = { shares: numbers.toSorted((one, other) => one - other) }
    if (step === undefined) return given
    // The timestamp is taken after the last share, because people may need long and a request is live for an hour only.
    const body = JSON.stringify({
      type: 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE',
      timestampMs: String(now()),
      organizationId,
      parameters: { name: RECOVERY_ATTEMPT_FEATURE, value: step },
    })
    const signature = toHex(signP256Message(p256Signer(secret.reveal(), publicKey), utf8(body)))
    return { ...given, stamped: { body, signature } }
  } finally {
    secret.wipe()
  }
}

/** The purpose that is shown to each person with a share. */
function purposeOf(value: string | undefined): Purpose {
  if (value === undefined) return 'rehearse'
  const step = readRecoveryStep(value)
  if (step === undefined) throw new RootKeyError('that is no step of a recovery')
  return 'users' in step ? 'begin' : 'complete'
}
