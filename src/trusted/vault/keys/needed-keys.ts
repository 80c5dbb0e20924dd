import { jsonIn } from '../../base/json-in.ts'
import { anything, isPlain, list, openRecord, optional, text } from '../../base/plain.ts'
import type { FileKeys } from './file-keys.ts'
import { type SealEntry, sealedFileIn } from './sealed-file.ts'

/**
 * The names of the keys of an encrypted root key file, and the seals that open it, in the order in which they are
 * tried: seals by people come last.
 */
type NeededKeys = { readonly names: readonly string[]; readonly seals: readonly SealEntry[] }

const SALTS_MAX = 1_000
const salted = openRecord({ salt: optional(text(100)), sealed: optional(anything) })
const clearFile = openRecord({ versions: list(openRecord({ key: optional(anything) }), SALTS_MAX) })
const saltedFile = openRecord({ salt: optional(text(100)), versions: list(salted, SALTS_MAX) })

/**
 * @returns  empty for a file in the clear, and for one that cannot be read
 * @throws RootKeyError for a damaged file of format 3
 */
export function neededKeys(fileText: string): NeededKeys {
  const sealed = sealedFileIn(fileText)
  if (sealed !== undefined)
    return { names: [sealed.key], seals: sealed.sealedBy.toSorted((a, b) => byPeople(a) - byPeople(b)) }
  const names = saltsIn(fileText)
  return { names, seals: names.length === 0 ? [] : [{ seal: 'passphrase', salts: names }] }
}

/** Whether a key of the file can be read without any other key; not of a file that is no root key file. */
export function isInTheClear(fileText: string): boolean {
  const file = jsonIn(fileText)
  return isPlain(clearFile, file) && file.versions.some(({ key }) => key !== undefined)
}

/** Whether people open the seal, which may take any time. */
export function isByPeople(entry: SealEntry): boolean {
  return entry.seal === 'shamir' || isRecovery(entry)
}

/**
 * Whether the entry is the recovery, for the case that no other seal opens. Only a command uses it, which reports it; a
 * vault never does.
 */
export function isRecovery({ seal }: SealEntry): boolean {
  return seal === 'recovery'
}

export function holdsAll(keys: FileKeys, { names }: NeededKeys): boolean {
  return names.every((name) => keys.has(name))
}

function byPeople(entry: SealEntry): number {
  return isByPeople(entry) ? 1 : 0
}

/** Of a file that a passphrase encrypts: one for each version, or one for all. */
function saltsIn(fileText: string): readonly string[] {
  const file = jsonIn(fileText)
  if (!isPlain(saltedFile, file)) return []
  const salts = file.versions
    .filter(({ sealed }) => sealed !== undefined)
    .map(({ salt = file.salt ?? '' }) => salt)
  return [...new Set(salts)]
}
