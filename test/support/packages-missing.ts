import { packagesIn } from './test-files.ts'
import { projectFolder } from './running-service.ts'

/**
 * Why tests that need these folders of `packages/` are skipped; on CI they fail instead, since `.ci/run` installs them.
 */
export function packagesMissing(...names: readonly string[]): string | false {
  if (process.env['CI'] !== undefined) return false
  const installed = packagesIn(projectFolder).flatMap(({ path, isInstalled }) => (isInstalled ? [path] : []))
  const missing = names.filter((name) => !installed.includes(`packages/${name}`))
  return missing.length === 0 ? false : `not installed here: ${missing.join(', ')}`
}
