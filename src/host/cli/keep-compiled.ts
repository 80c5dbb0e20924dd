import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Keeps what Node has compiled, so that the next start is quicker. It is kept beside the code, where only a writer of
 * the code itself can change it; where nothing can be written, nothing is kept. It is for the emulator alone, which has
 * no secrets.
 */
export function keepCompiled(): void {
  enableCompileCache(fileURLToPath(new URL('../../../.compiled', import.meta.url)))
}
