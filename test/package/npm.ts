import { symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { outputOf } from '../../release/output-of.ts'
import { start, type Started, temporaryFolder } from '../support/running-service.ts'

export type Npm = {
  /** Runs npm to its end in this folder, and returns what it wrote. */
  readonly npm: (args: readonly string[], folder: string) => string
  /** Starts a program, such as npx, in this folder, with these settings and by this Node. */
  readonly startBy: (
    node: string,
    program: readonly [string, ...string[]],
    folder: string,
    settings?: Readonly<Record<string, string>>,
  ) => Started
}

/**
 * npm as a user has it: what `npm test` has set in the environment is taken out, and certificates of the machine stay.
 * What npx installs goes to a folder of this run, and what the machine has downloaded already is not downloaded again.
 */
export function cleanNpm(): Npm {
  const npm = (args: readonly string[], folder: string): string =>
    outputOf('npm', args, pathToFileURL(folder), environment(process.execPath))
  const cache = temporaryFolder()
  symlinkSync(join(npm(['config', 'get', 'cache'], cache), '_cacache'), join(cache, '_cacache'))
  return {
    npm,
    startBy: (node, program, folder, settings = {}) => {
      const all = {
        ...environment(node),
        npm_config_cache: cache,
        npm_config_prefer_offline: 'true',
        ...settings,
      }
      const names = Object.entries(all).map(([name, value]) => `${name}=${value}`)
      return start(['-i', ...names, ...program], {}, { program: 'env', cwd: folder })
    },
  }
}

function environment(node: string): Readonly<Record<string, string>> {
  const own = Object.entries(process.env).filter(
    ([name]) =>
      !/^npm_(?!config_(registry|userconfig)$)|^(INIT_CWD|NODE_(?!EXTRA_CA_CERTS$).*|CLAVIGER_.*)$/i.test(
        name,
      ),
  )
  const path = [dirname(node), process.env['PATH'] ?? ''].join(delimiter)
  return {
    ...Object.fromEntries(own.map(([name, value]) => [name, value ?? ''])),
    PATH: path,
    npm_config_loglevel: 'error',
  }
}
