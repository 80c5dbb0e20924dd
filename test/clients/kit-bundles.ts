import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/running-service.ts'

const folder = fileURLToPath(new URL('../kit/', import.meta.url))
const bundler = join(folder, 'node_modules', 'esbuild', 'bin', 'esbuild')

/** Why a test that needs the kit was skipped, and what to do about it. */
export const kitMissing =
  'the wallet kit is not installed here, it is large and comes apart: npm ci --ignore-scripts --prefix test/kit'

export function kitAvailable(): boolean {
  return existsSync(bundler)
}

/**
 * The application of `test/kit` as a script, bundled as any with the kit is: `@turnkey/crypto` has
 * `packages/turnkey-crypto` in its place, with the keys of the service at this address.
 */
export async function kitBundle(serviceUrl: string): Promise<string> {
  const out = temporaryFolder()
  rmSync(join(folder, 'claviger-keys.json'), { force: true })
  const { cryptoAliases } = (await import(PACKAGE.href)) as Package
  const aliases = await cryptoAliases(serviceUrl, folder)
  const { status, stderr, error } = spawnSync(
    bundler,
    [
      'app.js',
      '--bundle',
      '--format=esm',
      '--loader:.css=text',
      ...Object.entries(aliases).map(([name, path]) => `--alias:${name}=${path}`),
      '--define:process.env.NODE_ENV="production"',
      '--log-level=error',
      `--outdir=${out}`,
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`the page cannot be bundled: ${stderr}`, { cause: error })
  return readFileSync(join(out, 'app.js'), 'utf8')
}

const PACKAGE = new URL('../../packages/turnkey-crypto/src/bundler.js', import.meta.url)
/** As its own comments say. */
type Package = {
  readonly cryptoAliases: (serviceUrl: string, folder: string) => Promise<Readonly<Record<string, string>>>
}
