import type { Config } from '../app/config.ts'
import { addVersion } from './root-key/add-version.ts'
import { listVersions } from './root-key/list-versions.ts'
import { rekey } from './root-key/rekey.ts'
import { resealAll } from './root-key/reseal-all.ts'
import { say, sayJson } from './root-key/say.ts'
import { retireVersion } from './root-key/retire-version.ts'
import { ensureRootKeyFile, rootKeyFileTrouble } from './root-key-file.ts'
import { readWords, takesOnly } from './arguments.ts'
import { UsageError } from './usage.ts'
import type { CommandOf, ExitCode } from './exit-codes.ts'
import { CommandError } from './command-error.ts'

/** `claviger root-key`: versions of the root key, from their first day to their last. */
export async function rootKey(
  config: Config,
  args: readonly string[],
): Promise<ExitCode<CommandOf<'root-key'>>> {
  const { words, values } = readWords(args, {
    json: { type: 'boolean' },
    'no-wait': { type: 'boolean' },
    'passphrase-file': { type: 'string' },
    'no-passphrase': { type: 'boolean' },
    seal: { type: 'string', multiple: true },
  })
  const [name = '', ...rest] = words
  const taken = OPTIONS_OF.get(name)
  if (taken !== undefined) takesOnly(values, taken, `root-key ${name}`)
  const out = { isJson: values.json === true }
  if (name === 'make' && rest.length === 0) {
    const { rootKeyPath: file } = config
    const made = (await ensureRootKeyFile(config)) === 'made'
    sayJson(out, { made, file })
    say(out, [`${made ? 'Made the' : 'Nothing was made, there is a'} root key file ${file}`])
    return 0
  }
  const command = commandIn(config, words, values)
  if (command === undefined) throw new UsageError('one of: make, list, add, reseal, retire VERSION, rekey')
  const trouble = rootKeyFileTrouble(config)
  if (trouble !== undefined) throw new CommandError(trouble)
  return await command()
}

/** The options of each command beside `--json`. */
const OPTIONS_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['make', []],
  ['list', []],
  ['add', []],
  ['reseal', ['no-wait']],
  ['retire', []],
  ['rekey', ['passphrase-file', 'no-passphrase', 'seal']],
])

type Values = {
  readonly 'no-wait'?: boolean | undefined
  readonly 'passphrase-file'?: string | undefined
  readonly 'no-passphrase'?: boolean | undefined
  readonly seal?: readonly string[] | undefined
  readonly json?: boolean | undefined
}

/** The command on an existing root key file that these words name; undefined if they name none. */
function commandIn(
  config: Config,
  [name, ...rest]: readonly string[],
  values: Values,
): (() => Promise<ExitCode<CommandOf<'root-key'>>>) | undefined {
  const out = { isJson: values.json === true }
  if (name === 'retire' && rest.length === 1) {
    const version = versionIn(rest[0])
    return async () => await retireVersion(config, version, out)
  }
  if (rest.length > 0) return undefined
  if (name === 'list') return async () => await listVersions(config, out)
  if (name === 'add') return async () => await addVersion(config, out)
  if (name === 'reseal')
    return async () => await resealAll(config, { ...out, waits: values['no-wait'] !== true })
  if (name !== 'rekey') return undefined
  const wanted = {
    passphrasePath: values['passphrase-file'],
    seals: values.seal ?? [],
    isClear: values['no-passphrase'] === true,
  }
  return async () => await rekey(config, { ...out, ...wanted })
}

function versionIn(text = ''): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`a version is a number, not ${text}`)
  return Number(text)
}
