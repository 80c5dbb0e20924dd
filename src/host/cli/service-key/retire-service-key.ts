import { realWorld } from '../../../trusted/base/real-world.ts'
import { type ServicePurpose, serviceTerms } from '../../../trusted/catalogue/service-purposes.ts'
import type { ServiceKey } from '../../../trusted/vault/keys/service-secrets.ts'
import type { Config } from '../../app/config.ts'
import { openRootKeyFile } from '../root-key-file.ts'
import type { RootKeys } from '../../../trusted/vault/keys/keyring.ts'
import { countOf } from '../root-key/retire-version.ts'
import { newOrder, runResealing } from '../root-key/run-resealing.ts'
import { type Out, say, sayJson, WAITS } from '../root-key/say.ts'
import { hostsLeft, keyringOf, namesOf } from '../root-key/versions-of-hosts.ts'
import { CommandError } from '../command-error.ts'
import { hostHas, instantShown, shownKey } from './service-key-steps.ts'
import type { ExitCode } from '../exit-codes.ts'

/** Removes a version from the file, after its time for verifying. */
export async function retireServiceKey(
  config: Config,
  { purpose, version }: Pick<ServiceKey, 'purpose' | 'version'>,
  out: Out,
): Promise<ExitCode<'service-key retire'>> {
  const file = await openRootKeyFile(config)
  const { keys } = file
  const key = keys.service.find((held) => held.purpose === purpose && held.version === version)
  const what = `version ${version} of the ${purpose} key`
  if (key === undefined) throw new CommandError(`the root key file does not hold ${what}`)
  if (key.state === 'used')
    throw new CommandError(`${what} is used: claviger service-key add ${purpose}, and use the new one first`)
  if (key.until !== undefined && realWorld.now() < key.until)
    throw new CommandError(`${what} verifies until ${instantShown(key.until)}: receivers were told so`)
  const rows = serviceTerms[purpose].opensStored ? await rowsCounted(config, purpose, keys) : undefined
  const shown = shownKey(keyringOf(keys).shown(), key)
  await file.replace({ ...keys, service: keys.service.filter((held) => held !== key) })
  const left = await hostsLeft(
    config,
    (host) => !hostHas(host, shown, ['published', 'used', 'verifies']),
    `to let go of ${what}`,
  )
  sayJson(out, { purpose, retired: version, ...(rows === undefined ? {} : { rows }), hostsLeft: left })
  say(out, [
    `retired ${what}${rows === undefined ? '' : `: none of ${rows} rows needs it`}.`,
    ...(left.length === 0 ? [] : [`${namesOf(left)} hold it still: copy ${config.rootKeyPath} to them.`]),
  ])
  return left.length === 0 ? 0 : WAITS
}

/**
 * Has all values under another version renewed, and counted by the vault in a pass that began after this command.
 *
 * @returns  the number of rows that were read
 * @throws   CommandError if a value is left
 */
async function rowsCounted(config: Config, purpose: ServicePurpose, keys: RootKeys): Promise<number> {
  const used = keys.service.find((held) => held.purpose === purpose && held.state === 'used')
  const shown = used && shownKey(keyringOf(keys).shown(), used)
  const check = async (): Promise<void> => {
    const behind = await hostsLeft(
      config,
      (host) => hostHas(host, shown, ['used']),
      'to use the newest version',
    )
    if (behind.length > 0)
      throw new CommandError(
        `${namesOf(behind)} do not use the newest version of the ${purpose} key: copy ${config.rootKeyPath} to them`,
      )
  }
  await check()
  const order = newOrder()
  const resealing = await runResealing(config, order)
  const last = countOf(keys, order, resealing)
  await check()
  if (last?.secrets === undefined || last.secrets.to !== used?.version)
    throw new CommandError('the vault has not counted all rows: run the command again')
  const { left } = last.secrets
  if (left > 0)
    throw new CommandError(
      `${left} organizations have client secrets under another version still: run the command again`,
    )
  return last.rows
}
