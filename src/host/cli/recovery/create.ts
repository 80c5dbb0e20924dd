import { realWorld } from '../../../trusted/base/real-world.ts'
import { isRecovery } from '../../../trusted/vault/keys/needed-keys.ts'
import { recovery } from '../../../seals/recovery/recovery.ts'
import type { SealParameters } from '../../../seals/seal.ts'
import type { Config } from '../../app/config.ts'
import { newSeals, sealMeans, type WantedSeal } from '../root-key/new-seals.ts'
import { type Out, say, sayJson } from '../root-key/say.ts'
import {
  openRootKeyFile,
  rootKeyFileTrouble,
  type SealedProtection,
  type Protection,
} from '../root-key-file.ts'
import { CommandError } from '../command-error.ts'
import type { ExitCode } from '../exit-codes.ts'

/** Makes the shares of a recovery, and adds it to the seals of the root key file. */
export async function createRecovery(
  config: Config,
  {
    parameters,
    seals,
    ...out
  }: Out & { readonly parameters: SealParameters; readonly seals: readonly WantedSeal[] },
): Promise<ExitCode<'recovery create'>> {
  const trouble = rootKeyFileTrouble(config)
  if (trouble !== undefined) throw new CommandError(trouble)
  const file = await openRootKeyFile(config)
  const protection = seals.length > 0 ? await newSeals(config, seals) : sealsThatStay(file.protection)
  const { key, name, sealedBy } = protection
  const closed = await recovery.close(key, { parameters, file: name }, sealMeans(config))
  const entry = { seal: recovery.name, ...closed, createdAt: realWorld.now() }
  await file.replace(file.keys, { ...protection, sealedBy: [...sealedBy, entry] })
  const { threshold, shares, out: folder } = parameters
  const names = sealedBy.map(({ seal }) => seal)
  sayJson(out, {
    recovery: config.rootKeyPath,
    threshold: Number(threshold),
    shares: Number(shares),
    sharesIn: folder,
    sealedBy: [...names, recovery.name],
  })
  say(out, [
    `${threshold} of ${shares} people can recover ${config.rootKeyPath}. Their shares are in ${folder}.`,
    'Give each file to its person, and destroy it here. These shares cannot be made again.',
    'Copy the root key file to every host and to the place of your backups: the shares open this file, and are useless without it.',
    'Then see that they work: claviger recovery rehearse',
  ])
  return 0
}

/** With its present seals the file keeps its key, so running hosts can read it again without questions. */
function sealsThatStay(protection: Protection): SealedProtection {
  if (protection.kind !== 'sealed')
    throw new CommandError(
      'the root key file is not sealed, and a recovery is a seal beside another: name that one, as in ' +
        '--seal "passphrase file=FILE"',
    )
  if (protection.sealedBy.some(isRecovery))
    throw new CommandError(
      'the root key file has a recovery. A new one takes a new key of the file, which the shares of before do not open: ' +
        'name all its other seals, as in --seal "passphrase file=FILE"',
    )
  return protection
}
