import type { Config } from '../../app/config.ts'
import { type RootKeys, serviceKeysIn } from '../../../trusted/vault/keys/keyring.ts'
import type { PassCount } from '../../../protocol/vault.ts'
import { countParts } from '../../../trusted/vault/seals/reseal.ts'
import { isOwnCount } from '../../../trusted/vault/seals/seals.ts'
import { PASS_END } from '../../rotation/pass.ts'
import type { Resealing } from '../../rotation/resealing-note.ts'
import { openRootKeyFile } from '../root-key-file.ts'
import { CommandError } from '../command-error.ts'
import { askRotation } from './ask-rotation.ts'
import { resealingLines } from './list-versions.ts'
import { newOrder, runResealing } from './run-resealing.ts'
import { type Out, say, sayJson, WAITS } from './say.ts'
import { hostsLeft, keyringOf, namesOf } from './versions-of-hosts.ts'
import type { ExitCode } from '../exit-codes.ts'

/**
 * Removes a version from the file, after a pass over every row that began after this command has found no row under it.
 */
export async function retireVersion(
  config: Config,
  version: number,
  out: Out,
): Promise<ExitCode<'root-key retire'>> {
  const file = await openRootKeyFile(config)
  const { keys } = file
  if (!keys.versions.some((held) => held.version === version))
    throw new CommandError(`the root key file does not hold version ${version}`)
  if (version >= keys.seals)
    throw new CommandError(
      `version ${version} ${version === keys.seals ? 'seals' : 'does not seal yet'}: add a newer one, and claviger root-key reseal`,
    )
  await checkHosts(config, keys.seals)
  const order = newOrder()
  const resealing = await runResealing(config, order)
  checkNothingLeft(keys, order, resealing)
  await checkHosts(config, keys.seals)
  const { provenUnder, archives = [] } = await askRotation(config, { do: 'state' })
  if (provenUnder !== keys.seals)
    throw new CommandError(`the data is not proven under version ${keys.seals} yet`)
  await file.replace(withoutVersion(keys, version))
  const left = await hostsLeft(
    config,
    (host) => !host.versions.some((held) => held.version === version),
    `to let go of version ${version}`,
  )
  const closed = archives.find((under) => under.version === version)?.files ?? 0
  sayJson(out, { retired: version, rows: resealing.last?.rows, archives: closed, hostsLeft: left })
  say(out, [
    `retired version ${version}: none of ${resealing.last?.rows ?? 0} rows is under it.`,
    'Earlier copies of the data need it: keep a copy of the earlier file with them.',
    ...(closed === 0
      ? []
      : [
          `Archives that open with it alone: ${closed}. Keep it with them too; from now on queries leave them out.`,
        ]),
    ...(left.length === 0 ? [] : [`${namesOf(left)} hold it still: copy ${config.rootKeyPath} to them.`]),
  ])
  return left.length === 0 ? 0 : WAITS
}

async function checkHosts(config: Config, seals: number): Promise<void> {
  const behind = await hostsLeft(config, (host) => host.seals === seals, `to seal under version ${seals}`)
  if (behind.length > 0)
    throw new CommandError(
      `${namesOf(behind)} still seal under an older version: copy ${config.rootKeyPath} to them`,
    )
}

/** The count carries the vault's seal, so neither a store nor a host can claim that no row was found. */
export function countOf(
  keys: RootKeys,
  order: string,
  { last }: Pick<Resealing, 'last'>,
): PassCount | undefined {
  const isCounted =
    last !== null &&
    last.place === PASS_END &&
    last.to === keys.seals &&
    last.pass.startsWith(`${order} `) &&
    isOwnCount(keyringOf(keys), countParts(last), last.seal)
  return isCounted ? last : undefined
}

export function checkNothingLeft(keys: RootKeys, order: string, resealing: Resealing): void {
  const last = countOf(keys, order, resealing)
  if (last === undefined)
    throw new CommandError('the vault has not counted all rows: claviger root-key reseal')
  if (last.found.length > 0 || last.unsealed > 0)
    throw new CommandError(
      [
        'rows are left that are not under the newest version:',
        ...resealingLines({ ...resealing, last }),
      ].join('\n'),
    )
}

/** The service's own keys derive from the lowest version, and keep their values when it is removed. */
function withoutVersion(keys: RootKeys, version: number): RootKeys {
  return {
    ...keys,
    versions: keys.versions.filter((held) => held.version !== version),
    service: serviceKeysIn(keys),
  }
}
