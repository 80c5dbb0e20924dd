import { spawnSync } from 'node:child_process'

/** Why tests that need these programs of Debian are skipped; on CI they fail instead, since `.ci/run` installs them. */
export function programsMissing(...programs: readonly string[]): string | false {
  if (process.env['CI'] !== undefined) return false
  const missing = programs.filter((name) => spawnSync('which', [name]).status !== 0)
  return missing.length === 0 ? false : `missing here: ${missing.join(', ')}`
}
