import type { CopyManifest } from './copy-file.ts'
import { notedProofs } from './restored-note.ts'

/** The months of activities in a file: a part of one month. */
export type ArchiveName = { readonly month: string; readonly part: number }

/** The description of an archive in its manifest. */
type ArchiveAbout = NonNullable<CopyManifest['archive']>

/** The description of a file in the note of its archive. */
export type NotedArchive = ArchiveAbout & {
  readonly activities: number
  /** The SHA-256 of the rows, as in the manifest of the file. */
  readonly sha256: string
  /** The id of the file. */
  readonly file: string
}

/** The beginning of the name of each archive's note. */
export const ARCHIVE_NOTE = 'archived '

export function archiveNoteName({ month, part }: ArchiveName): string {
  return `${ARCHIVE_NOTE}${month} ${part}`
}

/** `activities-2026-03.claviger`, for example, and `activities-2026-03-2.claviger` for activities found later. */
export function archiveFileName({ month, part }: ArchiveName): string {
  return `activities-${month}${part === 1 ? '' : `-${part}`}.claviger`
}

export function readArchiveFileName(name: string): ArchiveName | undefined {
  const [, month, part] = /^activities-(\d{4}-\d\d)(?:-(\d{1,6}))?\.claviger$/.exec(name) ?? []
  return month === undefined ? undefined : { month, part: Number(part ?? 1) }
}

/** @throws Error for the manifest of a backup */
export function notedArchive(file: string, { archive, tables }: CopyManifest): NotedArchive {
  if (archive === undefined) throw new Error('an archive says which it is')
  const { rows, sha256 } = tables.activities
  return { ...archive, activities: rows, sha256, file }
}

/** The text that the vault proves for an archive; no other root proof begins like it. */
export function archiveText(archive: NotedArchive): string {
  const { month, part, activities, leastId, greatestId, sha256, file, rootVersion } = archive
  return `archive ${month} ${part}: ${activities} activities ${leastId} to ${greatestId}, sha256 ${sha256}, file ${file}, root key ${rootVersion}`
}

const NOTE = new RegExp(
  [
    '^archive (?<month>\\d{4}-\\d\\d) (?<part>\\d{1,6}): (?<activities>\\d{1,15}) activities ',
    '(?<leastId>[\\w-]{1,100}) to (?<greatestId>[\\w-]{1,100}), sha256 (?<sha256>[0-9a-f]{64}), ',
    'file (?<file>[0-9a-f]{64}), root key (?<rootVersion>\\d{1,6})$',
  ].join(''),
)

/** @returns undefined unless the note consists of `archiveText` and its proof, under its own name */
export function readArchiveNote(
  name: string,
  value: string,
): (NotedArchive & { readonly proof: string }) | undefined {
  const [line, ...more] = notedProofs(value)
  if (line === undefined || more.length > 0) return undefined
  const [text, proof] = line
  const found = NOTE.exec(text)?.groups ?? {}
  const { month = '', leastId = '', greatestId = '', sha256 = '', file = '' } = found
  const noted = {
    month,
    part: Number(found['part']),
    activities: Number(found['activities']),
    leastId,
    greatestId,
    sha256,
    file,
    rootVersion: Number(found['rootVersion']),
  }
  return archiveNoteName(noted) === name ? { ...noted, proof } : undefined
}
