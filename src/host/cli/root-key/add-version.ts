import type { Config } from '../../app/config.ts'
import { realWorld } from '../../../trusted/base/real-world.ts'
import { newRootSecret } from '../../../trusted/vault/keys/root-key.ts'
import { lackedVersion } from '../../rotation/sealed-version-note.ts'
import { openRootKeyFile } from '../root-key-file.ts'
import { CommandError } from '../command-error.ts'
import { askRotation } from './ask-rotation.ts'
import { type Out, say, sayJson, WAITS } from './say.ts'
import { sealWithNewest } from './seal-with-newest.ts'
import { keyringOf, newestOf } from './versions-of-hosts.ts'
import type { ExitCode } from '../exit-codes.ts'

/** A new version opens first, and seals once every running host has it. */
export async function addVersion(config: Config, out: Out): Promise<ExitCode<'root-key add'>> {
  const file = await openRootKeyFile(config)
  const newest = newestOf(keyringOf(file.keys).shown())
  if (file.keys.seals !== newest)
    throw new CommandError(`version ${newest} was added and does not seal yet: claviger root-key reseal`)
  const { sealedUnder = 0 } = await askRotation(config, { do: 'state' })
  // An earlier copy of the file may lack a version that has sealed: rows under it need its number.
  const version = (lackedVersion(sealedUnder, newest) ?? newest) + 1
  const added = { version, secret: newRootSecret(realWorld.randomBytes) }
  const written = await file.replace({ ...file.keys, versions: [...file.keys.versions, added] })
  say(out, [
    ...lacking(sealedUnder, newest).map((problem) => `!!  ${problem}`),
    `added version ${version} to ${config.rootKeyPath}: make a copy of it in the place of your others`,
  ])
  const seals = await sealWithNewest(config, written, out)
  sayJson(out, { version, seals })
  if (seals) say(out, ['Reseal older rows with: claviger root-key reseal'])
  return seals ? 0 : WAITS
}

/** What is wrong where the data was sealed under a newer version than the newest of the file. */
export function lacking(sealedUnder: number, newest: number): readonly string[] {
  const lacked = lackedVersion(sealedUnder, newest)
  return lacked === undefined
    ? []
    : [
        `rows of this data are sealed under version ${lacked}, which the root key file lacks: bring the newest file, without which they cannot be opened`,
      ]
}
