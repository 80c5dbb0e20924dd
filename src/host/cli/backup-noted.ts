import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { jsonIn } from '../../trusted/base/json-in.ts'
import { isPlain, type PlainOf, record, text, whole } from '../../trusted/base/plain.ts'
import type { Config } from '../app/config.ts'
import { replaceFile } from '../app/file-beside.ts'

const note = record({
  /** The time of the copied state. */
  copiedAt: whole(),
  /** The name of the file when it was written. */
  file: text(4_096),
})

/** The last backup of a data folder, according to a note in the folder. */
export type BackupNoted = PlainOf<typeof note>

/**
 * Notes beside the data that there is a backup. A backup only reads the store: in a database this user may lack the
 * right to write. If the folder cannot be written either, the backup is still good.
 */
export function noteBackup(config: Pick<Config, 'dataFolder'>, { copiedAt, file }: BackupNoted): void {
  try {
    replaceFile(notePath(config), `${JSON.stringify({ copiedAt, file: resolve(file) })}\n`)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}

/** Undefined if there is no note, or none in the form of this function. */
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
