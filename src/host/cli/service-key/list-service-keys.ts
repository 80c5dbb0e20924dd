import { serviceKeysIn } from '../../../trusted/vault/keyring.ts'
import type { Config } from '../../app/config.ts'
import { openRootKeyFile } from '../root-key-file.ts'
import { type Out, say, sayJson } from '../root-key/say.ts'
import { instantShown } from './service-key-steps.ts'

/** What the file holds, and from which version of the root key the others derive. */
export async function listServiceKeys(config: Config, out: Out): Promise<number> {
  const { keys } = await openRootKeyFile(config)
  const lowest = Math.min(...keys.versions.map(({ version }) => version))
  const listed = serviceKeysIn(keys).map(({ secret: _, ...key }) => ({
    ...key,
    derivesFrom: keys.service.some(({ purpose }) => purpose === key.purpose) ? null : lowest,
  }))
  sayJson(out, { file: config.rootKeyPath, keys: listed })
  say(out, [
    `root key file ${config.rootKeyPath}`,
    ...listed.map(({ purpose, version, state, since, until, derivesFrom }) =>
      [
        `  ${purpose.padEnd(12)}  version ${version}  ${state}`,
        ...(since === undefined ? [] : [`since ${instantShown(since)}`]),
        ...(until === undefined ? [] : [`until ${instantShown(until)}`]),
        ...(derivesFrom === null ? [] : [`derives from version ${derivesFrom} of the root key`]),
      ].join('  '),
    ),
  ])
  return 0
}
