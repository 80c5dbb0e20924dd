import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/running-service.ts'
import type { PublishedKeys } from './setting.ts'

const folder = fileURLToPath(new URL('../kit/', import.meta.url))
const bundler = join(folder, 'node_modules', 'esbuild', 'bin', 'esbuild')

/** Why a test that needs the kit was skipped, and what to do about it. */
export const kitMissing =
  'the wallet kit is not installed here, it is large and comes apart: npm ci --ignore-scripts --prefix test/kit'

export function kitAvailable(): boolean {
  return existsSync(bundler)
}

/**
 * The scripts of `test/kit`, by their paths on a server, bundled as an application with the kit is: only `@turnkey/crypto`
 * has another in its place.
 */
export function kitBundles(keys: PublishedKeys): ReadonlyMap<string, string> {
  const out = temporaryFolder()
  const entries = ['app.js', 'frame.js']
  const { status, stderr, error } = spawnSync(
    bundler,
    [
      ...entries,
      '--bundle',
      '--format=esm',
      '--loader:.css=text',
      '--alias:@turnkey/crypto=./crypto.js',
      `--define:SERVICE_KEYS=${JSON.stringify(keys)}`,
      '--define:process.env.NODE_ENV="production"',
      '--log-level=error',
      `--outdir=${out}`,
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`the page cannot be bundled: ${stderr}`, { cause: error })
  return new Map(entries.map((name) => [`/${name}`, readFileSync(join(out, name), 'utf8')]))
}
