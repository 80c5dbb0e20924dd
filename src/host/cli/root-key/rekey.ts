import { isRecovery } from '../../../trusted/vault/keys/needed-keys.ts'
import { newPassphraseIn } from '../../../seals/passphrase.ts'
import type { Config } from '../../app/config.ts'
import { openRootKeyFile, sealNames, type Protection } from '../root-key-file.ts'
import { UsageError } from '../usage.ts'
import { keepingRecovery, newSeals, readSeal } from './new-seals.ts'
import { type Out, say, sayJson } from './say.ts'
import type { ExitCode } from '../exit-codes.ts'

/** The new protection of the file: exactly one of these. */
type Wanted = {
  readonly passphrasePath: string | undefined
  readonly isClear: boolean
  /** Each a name and its parameters, such as `passphrase file=/run/passphrase`. */
  readonly seals: readonly string[]
}

/** Writes the same keys under another passphrase, under seals, or in plain text. */
export async function rekey(
  config: Config,
  { passphrasePath, isClear, seals, ...out }: Out & Wanted,
): Promise<ExitCode<'root-key rekey'>> {
  if ([passphrasePath !== undefined, isClear, seals.length > 0].filter(Boolean).length !== 1)
    throw new UsageError(
      'rekey takes --passphrase-file FILE, with the new passphrase, or --seal "NAME PARAMETER=VALUE …", or --no-passphrase',
    )
  const wanted = seals.map(readSeal)
  const passphrase =
    passphrasePath === undefined ? undefined : newPassphraseIn(passphrasePath, config.rootKeyReaders)
  const file = await openRootKeyFile(config)
  const protection: Protection =
    passphrase !== undefined
      ? { kind: 'passphrase', passphrase }
      : isClear
        ? { kind: 'clear' }
        : await keepingRecovery(await newSeals(config, wanted), file.protection)
  await file.replace(file.keys, protection)
  const names = sealNames(protection)
  const isRecoveryGone = hasRecovery(file.protection) && !hasRecovery(protection)
  sayJson(out, { rekeyed: config.rootKeyPath, encrypted: !isClear, sealedBy: names })
  say(out, [
    `${config.rootKeyPath} ${done(protection, names)}`,
    ...(protection.kind === 'sealed'
      ? ['At its next start, every host needs the means to open one of these seals.']
      : isClear
        ? [
            'Take CLAVIGER_ROOT_PASSPHRASE_FILE or CLAVIGER_ROOT_PASSPHRASE out of the settings of every host.',
          ]
        : ['Every host needs the new passphrase at its next start, in CLAVIGER_ROOT_PASSPHRASE_FILE.']),
    ...(isRecoveryGone ? ['Its recovery is gone with its seals: claviger recovery create'] : []),
    'Earlier copies of the file still open as before: destroy those that you do not need.',
  ])
  return 0
}

function hasRecovery(protection: Protection): boolean {
  return protection.kind === 'sealed' && protection.sealedBy.some(isRecovery)
}

function done({ kind }: Protection, names: readonly string[]): string {
  if (kind === 'clear') return 'is not encrypted any more.'
  return kind === 'sealed' ? `is sealed by ${names.join(', ')}.` : 'is encrypted under the new passphrase.'
}
