import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { jsonIn } from '../../trusted/base/json-in.ts'
import { isPlain, type PlainOf, record, text, whole } from '../../trusted/base/plain.ts'
import type { Config } from '../app/config.ts'
import { fileBeside } from '../app/file-beside.ts'

const note = record({
  /** How the data stood that were copied. */
  copiedAt: whole(),
  /** As it was called when it was written. */
  file: text(4_096),
})

/** The last backup that was made with a data folder, as it says there. */
export type BackupNoted = PlainOf<typeof note>

/**
 * Notes beside the data that there is a backup. The store itself is only read for one: it may be a database in which
 * this user may write nothing. Where the folder takes no file either, the backup is no worse.
 */
export function noteBackup(config: Pick<Config, 'dataFolder'>, { copiedAt, file }: BackupNoted): void {
  try {
    const path = notePath(config)
    const partial = fileBeside(path)
    try {
      writeFileSync(partial, `${JSON.stringify({ copiedAt, file: resolve(file) })}\n`, { mode: 0o600 })
      renameSync(partial, path)
    } finally {
      rmSync(partial, { force: true })
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}

/** Undefined where there is none, or none that can be read, or what stands there was not written by this. */
export function notedBackup(config: Pick<Config, 'dataFolder'>): BackupNoted | undefined {
  try {
    const found = jsonIn(readFileSync(notePath(config), 'utf8'))
    return isPlain(note, found) ? found : undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

function notePath({ dataFolder }: Pick<Config, 'dataFolder'>): string {
  return join(dataFolder, 'last-backup.json')
}
