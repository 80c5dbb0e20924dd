import { isPlain, list, optional, record, text, whole } from '../../../../trusted/base/plain.ts'
import { RootKeyError } from '../../../../trusted/vault/keys/root-key-error.ts'
import { type OrganizationSet, readOrganizationSet } from '../../../../seals/recovery/organization-set.ts'
import type { Restored } from '../../../../seals/recovery/organization.ts'
import type { Config } from '../../../app/config.ts'
import { sealSettings } from '../../../app/seal-settings.ts'
import { handedHere } from '../../../link/unseal-here.ts'
import { readTextFile } from '../../read-file.ts'

const said = record({
  restored: optional(
    record({
      shares: list(whole(1), 16),
      stamped: optional(record({ body: text(16_384), signature: text(1_000) })),
    }),
  ),
  failed: optional(text(1_000)),
})

/**
 * Collects the shares of people in a separate process, which restores the key of the set, uses it once and ends.
 *
 * @param step  the value to be stamped; undefined for a rehearsal
 * @throws RootKeyError
 */
export async function byPeople(
  config: Config,
  path: string,
  step: string | undefined,
): Promise<{ readonly set: OrganizationSet; readonly restored: Restored }> {
  const set = readOrganizationSet(readTextFile(path))
  const settings = {
    ...sealSettings(config, process.env),
    CLAVIGER_RECOVERY_SET: path,
    ...(step === undefined ? {} : { CLAVIGER_RECOVERY_STEP: step }),
  }
  const { said: told, ended } = await handedHere(settings, { place: 'organization', byPeople: true })
  const { restored, failed }: { restored?: Restored; failed?: string } = isPlain(said, told) ? told : {}
  if (restored === undefined)
    throw new RootKeyError(
      `the shares did not work: ${failed ?? `its process ended without a word (${ended})`}`,
    )
  return { set, restored }
}
