import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { realWorld } from '../../../../trusted/base/real-world.ts'
import {
  DELAY_HOURS_MIN,
  RECOVERY_FEATURE,
  recoverySetProblem,
} from '../../../../trusted/charter/organization-recovery.ts'
import type { OrganizationSet } from '../../../../seals/recovery/organization-set.ts'
import { syncFolder, writeSynced } from '../../../../seals/durable-file.ts'
import { newSet } from '../../../../seals/recovery/wrapping.ts'
import { numbersOf, sharePaths, writeShares } from '../../../../seals/shamir/new-shares.ts'
import { beginOf, shareDigest } from '../../../../seals/shamir/share-set.ts'
import { loadSlip39 } from '../../../../seals/shamir/slip39.ts'
import { CommandError } from '../../command-error.ts'
import { type Out, say, sayJson, WAITS } from '../../root-key/say.ts'
import { isCompleted, signedActivity } from '../../signed-activity.ts'
import { type Caller, ServiceError, ServiceRefusal } from '../../signed-query.ts'
import { UsageError } from '../../usage.ts'
import type { ExitCode } from '../../exit-codes.ts'

const SET_FILE = 'recovery-set.json'

type Wanted = {
  readonly threshold: string
  readonly shares: string
  readonly out: string
  readonly delayHours: string | undefined
}

/** Makes the shares of an organization, and asks its root quorum to accept the public key of their secret. */
export async function createSet(
  caller: Caller,
  wanted: Wanted,
  out: Out,
): Promise<ExitCode<'recovery create'>> {
  const { organizationId, baseUrl } = caller
  const {
    out: folder,
    threshold,
    count,
  } = numbersOf('recovery', {
    threshold: wanted.threshold,
    shares: wanted.shares,
    out: wanted.out,
  })
  const delayHours = Number(wanted.delayHours ?? DELAY_HOURS_MIN)
  const { split } = await loadSlip39()
  const { secret, set: publicKey } = newSet(realWorld.randomBytes)
  const value = JSON.stringify({ publicKey, threshold, shares: count, delayHours })
  const problem = recoverySetProblem(value)
  if (problem !== undefined) throw new UsageError(problem)
  const shares = split(secret, threshold, count)
  secret.wipe()
  const file: OrganizationSet = {
    organizationId,
    baseUrl,
    publicKey,
    threshold,
    delayHours,
    begins: beginOf(shares[0] ?? ''),
    shares: shares.map((share) => shareDigest(share, publicKey)),
  }
  const path = join(folder, SET_FILE)
  // The people of an earlier set need theirs.
  if (existsSync(path)) throw new CommandError(`${path} exists already: name another folder with --out`)
  writeShares(folder, shares)
  try {
    // Written before the service learns of the set: the new set ends the previous one, so its shares must exist by
    // then.
    writeSynced(path, `${JSON.stringify(file, undefined, 2)}\n`, 0o666)
    syncFolder(folder)
    const parameters = { name: RECOVERY_FEATURE, value }
    const type = 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE'
    const activity = await signedActivity(caller, { type, parameters, now: realWorld.now() })
    const { id: activityId, status } = activity
    sayJson(out, { organizationId, publicKey, threshold, shares: count, delayHours, activityId, status })
    const isKnown = isCompleted(activity)
    say(out, [
      `${threshold} of ${count} people can ask for new root users of ${organizationId}, with a delay of ${delayHours} hours.`,
      `Their shares are in ${folder}, and ${SET_FILE}, which each of them needs beside their share.`,
      'Give each share to its person, and destroy it here. These shares cannot be made again.',
      isKnown
        ? `Then see that they work: claviger recovery rehearse --set ${SET_FILE}`
        : `The root quorum has to agree first: claviger approve ${activityId}`,
    ])
    return isKnown ? 0 : WAITS
  } catch (error) {
    if (error instanceof ServiceError && !(error instanceof ServiceRefusal))
      throw new CommandError(
        `${error.message}. The service may have taken the set all the same: keep the shares in ${folder}, and learn with claviger recovery rehearse --set ${path} --as KEYFILE whether it accepts them`,
        { cause: error },
      )
    for (const written of [...sharePaths(folder, count), path]) rmSync(written, { force: true })
    throw error
  }
}
