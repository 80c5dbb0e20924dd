import { jsonIn } from '../../../../trusted/base/json-in.ts'
import { isPlain, openRecord, text } from '../../../../trusted/base/plain.ts'
import { object } from '../../../../trusted/catalogue/shape.ts'
import { RECOVERY_FEATURE } from '../../../../trusted/charter/organization-recovery.ts'
import { RootKeyError } from '../../../../trusted/vault/keys/root-key-error.ts'
import { featureLists } from '../../../../trusted/activities/organizations/feature-list.ts'
import { quorumShape } from '../../../queries/organizations/get-organization-configs.ts'
import type { Config } from '../../../app/config.ts'
import { type Out, say, sayJson } from '../../root-key/say.ts'
import { type Caller, signedQuery } from '../../signed-query.ts'
import { byPeople } from './by-people.ts'
import type { ExitCode } from '../../exit-codes.ts'

/**
 * Checks that the shares restore the key of the set, which never leaves its process.
 *
 * @param caller  a member, whose key asks the service whether the set is still that of the organization
 */
export async function rehearseSet(
  config: Config,
  { path, caller }: { readonly path: string; readonly caller: Caller | undefined },
  out: Out,
): Promise<ExitCode<'recovery rehearse'>> {
  const { set, restored } = await byPeople(config, path, undefined)
  const { organizationId, publicKey } = set
  const isKnown = caller === undefined ? undefined : await isSetOf({ ...caller, organizationId }, publicKey)
  if (isKnown === false)
    throw new RootKeyError(
      `the shares restore their key, but ${organizationId} no longer accepts it: its set was replaced or removed`,
    )
  const { shares } = restored
  const unseen = set.shares.map((_, index) => index + 1).filter((number) => !shares.includes(number))
  sayJson(out, { organizationId, shares, unseen, known: isKnown ?? null })
  say(out, [
    `Shares ${shares.join(', ')} of ${set.shares.length} restore the key of the recovery of ${organizationId}. Nothing was stamped.`,
    ...(unseen.length === 0 ? [] : [`Not shown: ${unseen.join(', ')}.`]),
    isKnown === undefined
      ? 'The service was not asked whether it still accepts this key: name the key file of a member with --as FILE.'
      : 'The service accepts this key.',
  ])
  return 0
}

const configs = object({ configs: object({ ...featureLists, quorum: quorumShape }) })
const set = openRecord({ publicKey: text(100) })

async function isSetOf(caller: Caller, publicKey: string): Promise<boolean> {
  const { serviceFeatures } = (await signedQuery(caller, 'get_organization_configs', {}, configs)).configs
  const value = serviceFeatures?.find(({ name }) => name === RECOVERY_FEATURE)?.value
  const found = jsonIn(value ?? '')
  return isPlain(set, found) && found.publicKey === publicKey
}
