import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileTrouble } from '../../trusted/base/file-trouble.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { logFiles } from './settings/mixed-up-files.ts'
import { isAddress } from './settings/plain-formats.ts'

type Looks = {
  /** Looks at a file, not in the event loop: it may be on a network that does not answer. */
  readonly lookAt: (path: string) => Promise<{ readonly isDirectory: () => boolean }>
  /** Ends when no answer is waited for any more. */
  readonly patience: () => Promise<void>
}

type Named = Pick<Config, 'requestLog' | 'audit' | 'archives' | 'dataFolder'>

/**
 * Checks that the service can write its logs, and find its archives, where the settings say, before it writes
 * anything.
 *
 * @throws ConfigError
 */
export async function checkNamedFiles(config: Named): Promise<void> {
  const problems = await namedFileProblems(config)
  if (problems.length > 0) throw new ConfigError(problems)
}

/** An audit stream that cannot be written would be tried again without an end, while its events fill the store. */
export async function namedFileProblems(config: Named, looks: Looks = REAL): Promise<readonly string[]> {
  const files = logFiles(config).flatMap(({ name, path }) => {
    const trouble = isInNewData(path, config)
      ? undefined
      : troubleOf(path, { isSynced: name === 'CLAVIGER_AUDIT' })
    return trouble === undefined ? [] : [`${name} names ${path}, which cannot be written: ${trouble}`]
  })
  return [...files, ...socketProblems(config), ...(await archiveProblems(config, looks))]
}

/** The first start makes the data folder. */
function isInNewData(path: string, { dataFolder }: Named): boolean {
  return dirname(path) === dataFolder && !existsSync(dataFolder)
}

/** A socket that is not there yet may be made by a syslog that starts later. */
function socketProblems({ audit: { target } }: Named): readonly string[] {
  if (target?.kind !== 'syslog' || target.at.transport !== 'unix') return []
  const { path } = target.at
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined || found.isSocket()
      ? []
      : [
          `CLAVIGER_AUDIT names ${path}, which is no socket: name the socket of syslog, or a file without syslog+unix:`,
        ]
  } catch (error) {
    return [`CLAVIGER_AUDIT names ${path}, which cannot be reached: ${fileTrouble(error) ?? String(error)}`]
  }
}

/**
 * A folder that is not there yet is made with the first archive. A storage that fails, or does not answer, is an
 * outage: the service starts, and says so (`tellClosedArchives`).
 */
async function archiveProblems({ archives }: Named, { lookAt, patience }: Looks): Promise<readonly string[]> {
  if (archives === undefined || isAddress(archives)) return []
  const isFolder = await Promise.race([
    lookAt(archives).then(
      (found) => found.isDirectory(),
      (error) => !(error instanceof Error && 'code' in error && error.code === 'ENOTDIR'),
    ),
    patience().then(() => true),
  ])
  return isFolder
    ? []
    : [`CLAVIGER_ARCHIVES names ${archives}, which is no folder: name the folder of the archives`]
}

const PATIENCE_MS = 2_000
const REAL: Looks = {
  lookAt: stat,
  patience: () => new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref()),
}

/** @param isSynced  whether it has to be a real file; a pipe or a terminal cannot be synced to a disk */
function troubleOf(path: string, { isSynced }: { readonly isSynced: boolean }): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) {
      // Also for a folder that is a file.
      accessSync(`${dirname(path)}/.`, constants.W_OK | constants.X_OK)
      return undefined
    }
    if (found.isDirectory()) return 'it is a folder; name a file'
    if (found.isSocket() || found.isBlockDevice()) return 'it is no file; name a file'
    if (isSynced && !found.isFile()) return 'it is a pipe or a device, which cannot be synced; name a file'
    accessSync(path, isSynced ? constants.R_OK | constants.W_OK : constants.W_OK)
    return undefined
  } catch (error) {
    return fileTrouble(error) ?? String(error)
  }
}
