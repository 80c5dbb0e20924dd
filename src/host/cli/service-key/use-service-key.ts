import { type ServicePurpose, serviceTerms } from '../../../trusted/catalogue/service-purposes.ts'
import { realWorld } from '../../../trusted/base/real-world.ts'
import type { Config } from '../../app/config.ts'
import { openRootKeyFile } from '../root-key-file.ts'
import { type Out, say, sayJson, WAITS } from '../root-key/say.ts'
import { hostsLeft, keyringOf, namesOf } from '../root-key/versions-of-hosts.ts'
import { CommandError } from '../command-error.ts'
import { publishedIn } from './add-service-key.ts'
import { hostHas, instantShown, shownKey, withState } from './service-key-steps.ts'
import type { ExitCode } from '../exit-codes.ts'

/** Begins to use the shown version, after all readers of the list of keys have had time to see it. */
export async function useServiceKey(
  config: Config,
  purpose: ServicePurpose,
  out: Out,
): Promise<ExitCode<'service-key use'>> {
  const file = await openRootKeyFile(config)
  const { keys } = file
  const now = realWorld.now()
  const next = publishedIn(file, purpose)
  if (next === undefined)
    throw new CommandError(
      `no version of the ${purpose} key waits to be used: claviger service-key add ${purpose}`,
    )
  const { shownMs, verifiesMs } = serviceTerms[purpose]
  const from = next.since === undefined ? undefined : next.since + shownMs
  if (from === undefined)
    throw new CommandError(
      `version ${next.version} of the ${purpose} key is not known to be shown by every host: claviger service-key add ${purpose}`,
    )
  if (now < from)
    throw new CommandError(
      `version ${next.version} of the ${purpose} key is used from ${instantShown(from)} on: until then receivers may not know it`,
    )
  const shown = shownKey(keyringOf(keys).shown(), next)
  const without = await hostsLeft(config, (host) => hostHas(host, shown, ['published', 'used']), 'to show it')
  if (without.length > 0)
    throw new CommandError(`${namesOf(without)} do not show it: copy ${config.rootKeyPath} to them`)
  const before = keys.service.find((key) => key.purpose === purpose && key.state === 'used')
  const until = now + verifiesMs
  const verifying =
    before === undefined ? keys.service : withState(keys.service, before, { state: 'verifies', until })
  await file.replace({ ...keys, service: withState(verifying, next, { state: 'used', since: now }) })
  const left = await hostsLeft(config, (host) => hostHas(host, shown, ['used']), 'to use it')
  sayJson(out, { purpose, version: next.version, verifiesUntil: instantShown(until), hostsLeft: left })
  say(out, [
    `version ${next.version} of the ${purpose} key is used. Version ${before?.version} verifies until ${instantShown(until)}.`,
    ...(left.length === 0
      ? []
      : [`${namesOf(left)} still use the one before: copy ${config.rootKeyPath} to them.`]),
  ])
  return left.length === 0 ? 0 : WAITS
}
