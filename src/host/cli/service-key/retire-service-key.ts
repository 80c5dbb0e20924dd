import { realWorld } from '../../../trusted/base/real-world.ts'
import type { ServiceKey } from '../../../trusted/vault/service-secrets.ts'
import type { Config } from '../../app/config.ts'
import { openRootKeyFile } from '../root-key-file.ts'
import { type Out, say, sayJson, WAITS } from '../root-key/say.ts'
import { hostsLeft, keyringOf, namesOf } from '../root-key/versions-of-hosts.ts'
import { UsageError } from '../usage.ts'
import { hostHas, instantShown, shownKey } from './service-key-steps.ts'

/** Takes a version out of the file, once its time to verify is over. */
export async function retireServiceKey(
  config: Config,
  { purpose, version }: Pick<ServiceKey, 'purpose' | 'version'>,
  out: Out,
): Promise<number> {
  const file = await openRootKeyFile(config)
  const { keys } = file
  const key = keys.service.find((held) => held.purpose === purpose && held.version === version)
  const what = `version ${version} of the ${purpose} key`
  if (key === undefined) throw new UsageError(`the root key file does not hold ${what}`)
  if (key.state === 'used')
    throw new UsageError(`${what} is used: claviger service-key add ${purpose}, and use the new one first`)
  if (key.until !== undefined && realWorld.now() < key.until)
    throw new UsageError(`${what} verifies until ${instantShown(key.until)}: receivers were told so`)
  const shown = shownKey(keyringOf(keys).shown(), key)
  await file.replace({ ...keys, service: keys.service.filter((held) => held !== key) })
  const left = await hostsLeft(
    config,
    (host) => !hostHas(host, shown, ['published', 'used', 'verifies']),
    `to let go of ${what}`,
  )
  sayJson(out, { purpose, retired: version, hostsLeft: left })
  say(out, [
    `retired ${what}.`,
    ...(left.length === 0 ? [] : [`${namesOf(left)} hold it still: copy ${config.rootKeyPath} to them.`]),
  ])
  return left.length === 0 ? 0 : WAITS
}
