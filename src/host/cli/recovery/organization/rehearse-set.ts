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
 * Sees that the shares restore the key of the set, which is handed to nobody.
 *
 * @param caller  a member, by whom the service is asked whether the set is still the one of the organization
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
      `the shares restore their key, and it is none that ${organizationId} takes any more: its set is another one, or gone`,
    )
  const { shares } = restored
  const unseen = set.shares.map((_, index) => index + 1).filter((number) => !shares.includes(number))
  sayJson(out, { organizationId, shares, unseen, known: isKnown ?? null })
  say(out, [
    `Shares ${shares.join(', ')} of ${set.shares.length} restore the key of the recovery of ${organizationId}. Nothing was stamped.`,
    ...(unseen.length === 0 ? [] : [`Not shown: ${unseen.join(', ')}.`]),
    isKnown === undefined
      ? 'The service was not asked whether it still takes this key: --as FILE names a member who asks.'
      : 'The service takes this key.',
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
