import type { Config } from '../../app/config.ts'
import type { OpenedRootKeyFile } from '../root-key-file.ts'
import { CommandError } from '../command-error.ts'
import { askRotation } from './ask-rotation.ts'
import { type Out, say } from './say.ts'
import { holds, hostsLeft, keyringOf, namesOf, newestOf, otherKeys } from './versions-of-hosts.ts'

/**
 * Lets the newest version of this file seal, once every running host has it: a host without it could not open newly
 * sealed rows.
 *
 * @returns  whether it seals, here and at every running host
 */
export async function sealWithNewest(config: Config, file: OpenedRootKeyFile, out: Out): Promise<boolean> {
  const shown = keyringOf(file.keys).shown()
  const newest = newestOf(shown)
  const { hosts } = await askRotation(config, { do: 'state' })
  const others = otherKeys(hosts, shown)
  if (others.length > 0)
    throw new CommandError(
      `${others.join('; ')}: a version is added once, and its file is copied to every host`,
    )
  if (shown.seals !== newest) {
    const without = await hostsLeft(config, (host) => holds(host, shown, newest), `to hold version ${newest}`)
    if (without.length > 0) {
      say(out, [
        `version ${newest} opens and does not seal yet: ${namesOf(without)} do not hold it.`,
        `Copy ${config.rootKeyPath} to them; they read it without a restart. Then: claviger root-key reseal`,
      ])
      return false
    }
    await file.replace({ ...file.keys, seals: newest })
    say(out, [`version ${newest} seals from now on`])
  }
  const behind = await hostsLeft(config, (host) => host.seals === newest, `to seal under version ${newest}`)
  if (behind.length === 0) return true
  say(out, [
    `${namesOf(behind)} still seal under an older version.`,
    `Copy ${config.rootKeyPath} to them once more. Then: claviger root-key reseal`,
  ])
  return false
}
