import { isPlain, optional, record, text } from '../../../trusted/base/plain.ts'
import { isRecovery } from '../../../trusted/vault/keys/needed-keys.ts'
import { privateText } from '../../../trusted/vault/keys/private-text.ts'
import { readRecoveryText } from '../../../trusted/vault/recovery/recovery-events.ts'
import { RootKeyError } from '../../../trusted/vault/keys/root-key-error.ts'
import { sealedFileIn } from '../../../trusted/vault/keys/sealed-file.ts'
import { recoveryEntryIn } from '../../../seals/recovery/recovery.ts'
import type { Config } from '../../app/config.ts'
import { sealSettings } from '../../app/seal-settings.ts'
import { handedHere } from '../../link/unseal-here.ts'
import { type Out, say, sayJson } from '../root-key/say.ts'
import { askStore } from './ask-store.ts'
import type { ExitCode } from '../exit-codes.ts'

const WORD = 1_000
const said = record({
  rehearsed: optional(record({ challenge: text(WORD), proof: text(WORD) })),
  failed: optional(text(WORD)),
})

/**
 * Checks that the shares open the root key file, in a process that returns none of its keys, and notes the rehearsal.
 */
export async function rehearseRecovery(
  config: Config,
  { copy, ...out }: Out & { readonly copy: string | undefined },
): Promise<ExitCode<'recovery rehearse'>> {
  const path = copy ?? config.rootKeyPath
  const found = sealedFileIn(privateText(path, 'root key file', config.rootKeyReaders))?.sealedBy.find(
    isRecovery,
  )
  if (found === undefined)
    throw new RootKeyError('the root key file has no recovery: claviger recovery create')
  const all = recoveryEntryIn(found).shares.length
  const settings = sealSettings({ ...config, rootKeyPath: path }, process.env)
  const { said: told, ended } = await handedHere(settings, { place: 'rehearsal', byPeople: true })
  const { rehearsed, failed }: { rehearsed?: { challenge: string; proof: string }; failed?: string } =
    isPlain(said, told) ? told : {}
  const event = readRecoveryText(rehearsed?.challenge ?? '')
  if (rehearsed === undefined || event?.what !== 'rehearsed')
    throw new RootKeyError(`the rehearsal failed: ${failed ?? `its process ended without a word (${ended})`}`)
  const isNoted = await askStore(config, { do: 'note', ...rehearsed })
  const unseen = Array.from({ length: all }, (_, index) => index + 1).filter(
    (number) => !event.shares.includes(number),
  )
  sayJson(out, { rehearsed: path, at: event.at, shares: event.shares, unseen, noted: isNoted })
  say(out, [
    `Shares ${event.shares.join(', ')} of ${all} open ${path}. No key left the process.`,
    ...(unseen.length === 0 ? [] : [`Not shown: ${unseen.join(', ')}.`]),
    isNoted
      ? 'The rehearsal was noted: claviger doctor says when it was.'
      : 'There is no data to note it in.',
  ])
  return 0
}
