import { realWorld } from '../../../trusted/base/real-world.ts'
import { equalBytes, toHex } from '../../../trusted/base/bytes.ts'
import { Secret } from '../../../trusted/base/secret.ts'
import { RootKeyError } from '../../../trusted/vault/root-key-error.ts'
import type { SealEntry } from '../../../trusted/vault/sealed-file.ts'
import { sealNamed } from '../../../seals/list.ts'
import { newPassphraseIn } from '../../../seals/passphrase.ts'
import type { Seal, SealMeans, SealParameters } from '../../../seals/seal.ts'
import type { Config } from '../../app/config.ts'
import { sealSettings } from '../../app/seal-settings.ts'
import { openRootKeyFile, type Protection } from '../root-key-file.ts'
import { UsageError } from '../usage.ts'
import { type Out, say, sayJson } from './say.ts'

/** What shall protect the file: exactly one of these. */
type Wanted = {
  readonly passphrasePath: string | undefined
  readonly isClear: boolean
  /** Each a name and its parameters, such as `passphrase file=/run/passphrase`. */
  readonly seals: readonly string[]
}

/** Writes the same keys under another passphrase, under seals, or in the clear. */
export async function rekey(
  config: Config,
  { passphrasePath, isClear, seals, ...out }: Out & Wanted,
): Promise<number> {
  if ([passphrasePath !== undefined, isClear, seals.length > 0].filter(Boolean).length !== 1)
    throw new UsageError(
      'rekey takes --passphrase-file FILE, with the new passphrase, or --seal "NAME PARAMETER=VALUE …", or --no-passphrase',
    )
  const wanted = seals.map(readSeal)
  const passphrase = passphrasePath === undefined ? undefined : newPassphraseIn(passphrasePath)
  const file = await openRootKeyFile(config)
  const protection: Protection =
    passphrase !== undefined
      ? { kind: 'passphrase', passphrase }
      : isClear
        ? { kind: 'clear' }
        : await sealedBy(config, wanted)
  await file.replace(file.keys, protection)
  const names = wanted.map(({ name }) => name)
  sayJson(out, { rekeyed: config.rootKeyPath, encrypted: !isClear, sealedBy: names })
  say(out, [
    `${config.rootKeyPath} ${done(protection, names)}`,
    ...(protection.kind === 'sealed'
      ? ['Every host needs what opens one of these seals at its next start.']
      : isClear
        ? [
            'Take CLAVIGER_ROOT_PASSPHRASE_FILE or CLAVIGER_ROOT_PASSPHRASE out of the settings of every host.',
          ]
        : ['Every host needs the new passphrase at its next start, in CLAVIGER_ROOT_PASSPHRASE_FILE.']),
    'Copies of the file from before still open with what opened them: destroy those that you do not need.',
  ])
  return 0
}

function done({ kind }: Protection, names: readonly string[]): string {
  if (kind === 'clear') return 'is not encrypted any more.'
  return kind === 'sealed' ? `is sealed by ${names.join(', ')}.` : 'is encrypted under the new passphrase.'
}

type WantedSeal = { readonly name: string; readonly parameters: SealParameters }

function readSeal(text: string): WantedSeal {
  const [name = '', ...words] = text.trim().split(/\s+/)
  const parameters = words.map((word) => /^([a-z-]+)=(.+)$/.exec(word)?.slice(1) ?? [])
  if (parameters.some(({ length }) => length === 0))
    throw new UsageError(`a seal is a name and its parameters, as in "passphrase file=FILE": ${text}`)
  return { name, parameters: Object.fromEntries(parameters) }
}

/** A new key for the file, so that what opened the file of before does not open this one; each seal is tried, where it can be. */
async function sealedBy(config: Config, wanted: readonly WantedSeal[]): Promise<Protection> {
  const { randomBytes } = realWorld
  const environment = sealSettings(config, process.env)
  const key = new Secret(randomBytes(32))
  const name = toHex(randomBytes(16))
  const entries: SealEntry[] = []
  const means = { environment, randomBytes }
  for (const { name: seal, parameters } of wanted) {
    const by = sealNamed(seal)
    const entry = { seal, ...(await by.close(key, { parameters, file: name }, means)) }
    if (by.isTried) await tryToOpen(by, { entry, file: name, key }, means)
    entries.push(entry)
  }
  return { kind: 'sealed', key, name, sealedBy: entries }
}

async function tryToOpen(
  by: Seal,
  { entry, file, key }: { readonly entry: SealEntry; readonly file: string; readonly key: Secret },
  means: SealMeans,
): Promise<void> {
  const why = await by.open(entry, file, means).then(
    (opened) => (equalBytes(opened.reveal(), key.reveal()) ? undefined : 'it opens to another key'),
    (error: unknown) => (error instanceof RootKeyError ? error.message : 'it failed unexpectedly'),
  )
  if (why !== undefined) throw new RootKeyError(`the seal ${by.name} does not open what it sealed: ${why}`)
}
