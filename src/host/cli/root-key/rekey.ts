import { statSync } from 'node:fs'
import type { Config } from '../../app/config.ts'
import { openRootKeyFile, passphraseIn } from '../root-key-file.ts'
import { UsageError } from '../usage.ts'
import { type Out, say, sayJson } from './say.ts'

/** Writes the same keys under another passphrase, or under none. */
export async function rekey(
  config: Config,
  {
    passphrasePath,
    isClear,
    ...out
  }: Out & { readonly passphrasePath: string | undefined; readonly isClear: boolean },
): Promise<number> {
  if ((passphrasePath === undefined) !== isClear)
    throw new UsageError('rekey takes --passphrase-file FILE, with the new passphrase, or --no-passphrase')
  const passphrase = passphrasePath === undefined ? null : newPassphrase(passphrasePath)
  const file = await openRootKeyFile(config)
  await file.replace(file.keys, passphrase)
  sayJson(out, { rekeyed: config.rootKeyPath, encrypted: passphrase !== null })
  say(out, [
    `${config.rootKeyPath} is ${passphrase === null ? 'not encrypted any more' : 'encrypted under the new passphrase'}.`,
    ...(passphrase === null
      ? ['Take CLAVIGER_ROOT_PASSPHRASE_FILE or CLAVIGER_ROOT_PASSPHRASE out of the settings of every host.']
      : ['Every host needs the new passphrase at its next start, in CLAVIGER_ROOT_PASSPHRASE_FILE.']),
    'Copies of the file from before still open with what opened them: destroy those that you do not need.',
  ])
  return 0
}

function newPassphrase(path: string): string {
  if ((statSync(path).mode & 0o077) !== 0)
    throw new UsageError(`the passphrase file ${path} can be read by others: chmod 600 it`)
  const passphrase = passphraseIn(path)
  if (passphrase === '') throw new UsageError(`the passphrase file ${path} is empty`)
  return passphrase
}
