import { present } from '../../../trusted/base/assert.ts'
import { type ServicePurpose, serviceTerms } from '../../../trusted/catalogue/service-purposes.ts'
import { realWorld } from '../../../trusted/base/real-world.ts'
import { Secret } from '../../../trusted/base/secret.ts'
import { generateP256Secret } from '../../../trusted/crypto/p256.ts'
import { serviceKeysIn } from '../../../trusted/vault/keys/keyring.ts'
import type { ServiceKey } from '../../../trusted/vault/keys/service-secrets.ts'
import type { Config } from '../../app/config.ts'
import { type OpenedRootKeyFile, openRootKeyFile } from '../root-key-file.ts'
import { type Out, say, sayJson, WAITS } from '../root-key/say.ts'
import { hostsLeft, keyringOf, namesOf } from '../root-key/versions-of-hosts.ts'
import { hostHas, instantShown, shownKey, withState } from './service-key-steps.ts'
import type { ExitCode } from '../exit-codes.ts'

/**
 * Shows a new version at every host. Its time begins when all of them show it; if that failed before, the same command
 * continues.
 */
export async function addServiceKey(
  config: Config,
  purpose: ServicePurpose,
  out: Out,
): Promise<ExitCode<'service-key add'>> {
  const opened = await openRootKeyFile(config)
  const published = publishedIn(opened, purpose)
  const file = published === undefined ? await withNew(opened, purpose) : opened
  const added = present(publishedIn(file, purpose), 'the version that was just written')
  const { version } = added
  if (published === undefined)
    say(out, [
      `added version ${version} of the ${purpose} key to ${config.rootKeyPath}: make a copy of the file`,
    ])
  const shown = shownKey(keyringOf(file.keys).shown(), added)
  const left = await hostsLeft(config, (host) => hostHas(host, shown, ['published']), 'to show it')
  if (left.length > 0) {
    sayJson(out, { purpose, version, hostsLeft: left })
    say(out, [
      `${namesOf(left)} do not show it: copy ${config.rootKeyPath} to them; they read it without a restart.`,
      `Then: claviger service-key add ${purpose}`,
    ])
    return WAITS
  }
  const since = added.since ?? realWorld.now()
  if (added.since === undefined)
    await file.replace({
      ...file.keys,
      service: withState(file.keys.service, added, { state: 'published', since }),
    })
  const from = instantShown(since + serviceTerms[purpose].shownMs)
  sayJson(out, { purpose, version, usableFrom: from })
  say(out, [
    `version ${version} of the ${purpose} key is shown by every host. From ${from} on: claviger service-key use ${purpose}`,
  ])
  return 0
}

export function publishedIn({ keys }: OpenedRootKeyFile, purpose: ServicePurpose): ServiceKey | undefined {
  return keys.service.find((key) => key.purpose === purpose && key.state === 'published')
}

async function withNew(
  { keys, replace }: OpenedRootKeyFile,
  purpose: ServicePurpose,
): Promise<OpenedRootKeyFile> {
  const service = serviceKeysIn(keys)
  const version = 1 + Math.max(...service.filter((key) => key.purpose === purpose).map((key) => key.version))
  const secret = new Secret(generateP256Secret(realWorld.randomBytes))
  return await replace({ ...keys, service: [...service, { purpose, version, state: 'published', secret }] })
}
