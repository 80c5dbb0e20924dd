import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Keeps Node's compiled code, so that the next start is faster. It is stored beside the code, where only a writer of
 * the code itself can change it; if that folder cannot be written, it is not stored. It is only for the emulator, which
 * has no secrets.
 */
export function keepCompiled(): void {
  enableCompileCache(fileURLToPath(new URL('../../../.compiled', import.meta.url)))
}
