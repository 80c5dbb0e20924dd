import { RootKeyError } from '../../../../trusted/vault/keys/root-key-error.ts'
import type { Config } from '../../../app/config.ts'
import { p256StampOf } from '../../../http/p256-stamp.ts'
import { type SubmittedActivity, submittedIn } from '../../signed-activity.ts'
import { readOrganizationSet } from '../../../../seals/recovery/organization-set.ts'
import { CommandError } from '../../command-error.ts'
import { readTextFile } from '../../read-file.ts'
import { readServiceAddress } from '../../service-address.ts'
import { stampedRequest } from '../../signed-query.ts'
import { UsageError } from '../../usage.ts'
import { byPeople } from './by-people.ts'

const OPERATION = 'set_organization_feature'

/**
 * Lets the people of a set stamp one step of a recovery, and sends it.
 *
 * @throws CommandError, RootKeyError, ServiceError, UsageError
 */
export async function sendStep(
  config: Config,
  { path, url, step }: { readonly path: string; readonly url: string | undefined; readonly step: object },
): Promise<{
  readonly organizationId: string
  readonly delayHours: number
  readonly activity: SubmittedActivity
}> {
  // Before people are asked for their shares, which are used up by then.
  const service = readServiceAddress(url ?? readOrganizationSet(readTextFile(path)).baseUrl)
  if ('wrong' in service)
    throw url === undefined
      ? new CommandError(`baseUrl of ${path} ${service.wrong}`)
      : new UsageError(`--url ${service.wrong}`)
  const baseUrl = service.address
  const { set, restored } = await byPeople(config, path, JSON.stringify(step))
  const { stamped } = restored
  if (stamped === undefined) throw new RootKeyError('nothing was stamped')
  const { organizationId, publicKey, delayHours } = set
  const stamp = p256StampOf(publicKey, stamped.signature)
  const answer = await stampedRequest(baseUrl, `submit/${OPERATION}`, { body: stamped.body, stamp })
  return { organizationId, delayHours, activity: submittedIn(answer, { baseUrl, operation: OPERATION }) }
}
