import { chmodSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Whatever mask the files were made under, they are packed with the same modes: those of a program, and of all others.
 */
export function sameModes(folder: string, program?: string): void {
  for (const path of globSync('**/*', { cwd: folder })) {
    const file = join(folder, path)
    if (statSync(file).isFile()) chmodSync(file, path === program ? 0o755 : 0o644)
  }
}
