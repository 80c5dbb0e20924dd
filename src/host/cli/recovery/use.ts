import { existsSync } from 'node:fs'
import { realWorld } from '../../../trusted/base/real-world.ts'
import { isRecovery } from '../../../trusted/vault/keys/needed-keys.ts'
import { recoveryText } from '../../../trusted/vault/recovery/recovery-events.ts'
import { rootProof } from '../../../trusted/vault/seals/seals.ts'
import { recoveryEntryIn } from '../../../seals/recovery/recovery.ts'
import type { Config } from '../../app/config.ts'
import { keepingRecovery, newSeals, type WantedSeal } from '../root-key/new-seals.ts'
import { type Out, say, sayJson } from '../root-key/say.ts'
import { keyringOf } from '../root-key/versions-of-hosts.ts'
import { recoverRootKeyFile, type SealedProtection } from '../root-key-file.ts'
import { UsageError } from '../usage.ts'
import { askStore } from './ask-store.ts'
import type { ExitCode } from '../exit-codes.ts'
import { CommandError } from '../command-error.ts'

/**
 * Opens the root key file with the shares of its recovery, and writes it again under other seals. The use is noted
 * before the file is written, so that interrupting this command cannot hide it.
 */
export async function useRecovery(
  config: Config,
  { copy, seals, ...out }: Out & { readonly copy: string | undefined; readonly seals: readonly WantedSeal[] },
): Promise<ExitCode<'recovery use'>> {
  const { rootKeyPath } = config
  if (seals.length === 0)
    throw new UsageError('name the new seals of the root key file, as in --seal "passphrase file=FILE"')
  if (copy !== undefined && existsSync(rootKeyPath))
    throw new CommandError(
      `there is a root key file ${rootKeyPath}, which may have newer versions: leave out --from`,
    )
  // All checks that need no shares come before people are asked for them.
  await askStore(config, { do: 'state' })
  const protection = await newSeals(config, seals)
  const file = await recoverRootKeyFile(config, copy)
  const at = realWorld.now()
  const challenge = recoveryText({ what: 'used', set: setOf(file.protection), at })
  const proof = rootProof(keyringOf(file.keys), challenge)
  const isNoted = await askStore(config, { do: 'note', challenge, proof })
  await file.write(await keepingRecovery(protection, file.protection))
  const names = seals.map(({ name }) => name)
  sayJson(out, { recovered: rootKeyPath, at, sealedBy: names, noted: isNoted })
  say(out, [
    `${rootKeyPath} was recovered, and is sealed by ${names.join(', ')} and its recovery.`,
    isNoted
      ? 'It was noted, and every root user with an address is told by mail when the service runs.'
      : 'There is no data to note it in: restore a backup, of which every root user is told.',
    'Give every host a copy of the file. Where the shares were typed on a machine that you do not trust, make new ones:',
    'claviger recovery create --seal …',
  ])
  return 0
}

function setOf({ sealedBy }: SealedProtection): string {
  const found = sealedBy.find(isRecovery)
  if (found === undefined) throw new CommandError('the root key file has no recovery')
  return recoveryEntryIn(found).set
}
