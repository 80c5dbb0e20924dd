import type { Keyring, RootKeys } from './keyring.ts'
import { RootKeyError } from './root-key-error.ts'

/**
 * Adopts the root key file where it has changed.
 *
 * @returns  the reason why the file was not accepted, as long as there is no other file
 */
export function rereading(
  keyring: Keyring,
  reread: () => Promise<RootKeys | undefined> = async () => undefined,
): () => Promise<string | undefined> {
  let refusal: string | undefined
  return async () => {
    try {
      const keys = await reread()
      if (keys !== undefined) refusal = refusalOf(keyring, keys)
      return refusal
    } catch (error) {
      return reasonIn(error)
    }
  }
}

function refusalOf(keyring: Keyring, keys: RootKeys): string | undefined {
  try {
    keyring.adopt(keys)
    return undefined
  } catch (error) {
    return reasonIn(error)
  }
}

function reasonIn(error: unknown): string {
  if (error instanceof RootKeyError) return error.message
  throw error
}
