import type { Config } from '../app/config.ts'
import { addVersion } from './root-key/add-version.ts'
import { listVersions } from './root-key/list-versions.ts'
import { rekey } from './root-key/rekey.ts'
import { resealAll } from './root-key/reseal-all.ts'
import { say, sayJson } from './root-key/say.ts'
import { retireVersion } from './root-key/retire-version.ts'
import { ensureRootKeyFile, rootKeyFileTrouble } from './root-key-file.ts'
import { readWords } from './arguments.ts'
import { UsageError } from './usage.ts'

/** `claviger root-key`: versions of the root key, from their first day to their last. */
export async function rootKey(config: Config, args: readonly string[]): Promise<number> {
  const { words, values } = readWords(args, {
    json: { type: 'boolean' },
    'no-wait': { type: 'boolean' },
    'passphrase-file': { type: 'string' },
    'no-passphrase': { type: 'boolean' },
    seal: { type: 'string', multiple: true },
  })
  const [name, ...rest] = words
  const out = { isJson: values.json === true }
  if (name === 'make' && rest.length === 0) {
    const { rootKeyPath: file } = config
    const made = (await ensureRootKeyFile(config)) === 'made'
    sayJson(out, { made, file })
    say(out, [`${made ? 'Made the' : 'Nothing was made, there is a'} root key file ${file}`])
    return 0
  }
  const trouble = rootKeyFileTrouble(config)
  if (trouble !== undefined) throw new UsageError(trouble)
  const isAlone = rest.length === 0
  if (name === 'list' && isAlone) return await listVersions(config, out)
  if (name === 'add' && isAlone) return await addVersion(config, out)
  if (name === 'reseal' && isAlone)
    return await resealAll(config, { ...out, waits: values['no-wait'] !== true })
  if (name === 'retire' && rest.length === 1) return await retireVersion(config, versionIn(rest[0]), out)
  if (name === 'rekey' && isAlone)
    return await rekey(config, {
      ...out,
      passphrasePath: values['passphrase-file'],
      seals: values.seal ?? [],
      isClear: values['no-passphrase'] === true,
    })
  throw new UsageError('one of: make, list, add, reseal, retire VERSION, rekey')
}

function versionIn(text = ''): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`a version is a number, not ${text}`)
  return Number(text)
}
