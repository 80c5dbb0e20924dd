import { originOf, serviceKeysIn } from '../../../trusted/vault/keys/keyring.ts'
import type { Config } from '../../app/config.ts'
import { openRootKeyFile } from '../root-key-file.ts'
import { type Out, say, sayJson } from '../root-key/say.ts'
import { instantShown } from './service-key-steps.ts'
import type { ExitCode } from '../exit-codes.ts'

/** The versions in the file, and the version of the root key from which the others derive. */
export async function listServiceKeys(config: Config, out: Out): Promise<ExitCode<'service-key list'>> {
  const { keys } = await openRootKeyFile(config)
  const listed = serviceKeysIn(keys).map((listedKey) => {
    const { secret: _, ...key } = listedKey
    const origin = originOf(keys, listedKey)
    return {
      ...key,
      derivesFrom: origin.kind === 'held' ? origin.version : null,
      derivesFromRetired: origin.kind === 'retired',
    }
  })
  sayJson(out, { file: config.rootKeyPath, keys: listed })
  say(out, [
    `root key file ${config.rootKeyPath}`,
    ...listed.map(({ purpose, version, state, since, until, derivesFrom, derivesFromRetired }) =>
      [
        `  ${purpose.padEnd(12)}  version ${version}  ${state}`,
        ...(since === undefined ? [] : [`since ${instantShown(since)}`]),
        ...(until === undefined ? [] : [`until ${instantShown(until)}`]),
        ...(derivesFromRetired ? ['derives from a retired version of the root key'] : []),
        ...(derivesFrom === null ? [] : [`derives from version ${derivesFrom} of the root key`]),
      ].join('  '),
    ),
  ])
  return 0
}
