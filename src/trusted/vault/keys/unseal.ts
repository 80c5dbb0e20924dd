import { fromHex } from '../../base/bytes.ts'
import { entries, isPlain, optional, record, text } from '../../base/plain.ts'
import { Secret } from '../../base/secret.ts'
import type { FileKeys } from './file-keys.ts'
import { holdsAll, isByPeople, isRecovery, neededKeys } from './needed-keys.ts'
import { readRootKeyFile } from './root-key.ts'
import { RootKeyError } from './root-key-error.ts'
import type { SealEntry } from './sealed-file.ts'

/** Which seal is to be opened: the process of the seal reads the same file. */
export type OpenRequest = {
  readonly seal: string
  readonly place: number
  readonly byPeople: boolean
  /**
   * Why the seal that was tried before has not opened the file, for the operator: the next one may, and nobody would
   * notice.
   */
  readonly before?: string
}

const BEFORE_CHARACTERS_MAX = 1_000

/** The output of the process of a seal, and its exit. */
export type Handed = { readonly said: unknown; readonly ended: string }

/** Runs the process of a seal to its end, which comes early when the signal says that nobody needs the key any more. */
export type OpenWith = (request: OpenRequest, letGo?: AbortSignal) => Promise<Handed>

const KEY_HEX = 64
const KEYS_MAX = 1_000
const said = record({
  keys: optional(entries(text(KEY_HEX), KEYS_MAX)),
  failed: optional(text(2_000)),
})

/**
 * The keys of a root key file, from the first of its seals whose process returns a key that opens the file.
 *
 * @param by  its seals, or only the recovery, which is used by commands only
 * @throws RootKeyError with the result of each seal
 */
export async function unseal(
  fileText: string,
  openWith: OpenWith,
  by: 'seals' | 'recovery' = 'seals',
): Promise<FileKeys> {
  const needed = neededKeys(fileText)
  const troubles: string[] = []
  for (const [place, entry] of needed.seals.entries()) {
    if (isRecovery(entry) !== (by === 'recovery')) continue
    const before = troubles.at(-1)?.slice(0, BEFORE_CHARACTERS_MAX)
    const handed = await openWith({
      seal: entry.seal,
      place,
      byPeople: isByPeople(entry),
      ...(before === undefined ? {} : { before }),
    })
    const keys = keysIn(handed)
    const trouble = typeof keys === 'string' ? keys : misfit(fileText, keys)
    if (typeof keys !== 'string' && trouble === undefined) return keys
    troubles.push(`${described(entry)}: ${trouble}`)
  }
  if (troubles.length === 0) throw new RootKeyError('the root key file has no recovery')
  const isLeft = by === 'seals' && needed.seals.some(isRecovery)
  throw new RootKeyError(
    `the root key is sealed and does not open: ${troubles.join('; ')}` +
      (isLeft ? '; its recovery is left: claviger recovery use' : ''),
  )
}

function keysIn({ said: told, ended }: Handed): FileKeys | string {
  if (told === undefined) return `its process ended without a word (${ended})`
  if (!isPlain(said, told)) return 'its process said what is no answer'
  if (told.failed !== undefined) return told.failed
  const keys = new Map<string, Secret>()
  for (const [name, hex] of Object.entries(told.keys ?? {})) {
    const key = hex.length === KEY_HEX ? fromHex(hex) : undefined
    if (key === undefined) return 'its process handed over a key that is not 32 bytes'
    keys.set(name, new Secret(key))
  }
  return keys
}

/** The reason why these keys do not open the file. */
function misfit(fileText: string, keys: FileKeys): string | undefined {
  if (!holdsAll(keys, neededKeys(fileText))) return 'its process handed over the key of another file'
  try {
    readRootKeyFile(fileText, keys)
    return undefined
  } catch (error) {
    if (error instanceof RootKeyError) return error.message
    throw error
  }
}

function described({ seal }: SealEntry): string {
  return `seal ${seal}`
}
