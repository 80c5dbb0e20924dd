import type { CopyManifest } from './copy-file.ts'
import { notedProofs } from './restored-note.ts'

/** Which months of activities stand in a file: the part of one month that the file has. */
export type ArchiveName = { readonly month: string; readonly part: number }

/** What the note of an archive says of its file. */
export type NotedArchive = ArchiveName & {
  readonly activities: number
  /** Over the rows, as in the manifest of the file. */
  readonly sha256: string
  /** The id of the file. */
  readonly file: string
}

/** Begins the name of the note of each archive. */
export const ARCHIVE_NOTE = 'archived '

export function archiveNoteName({ month, part }: ArchiveName): string {
  return `${ARCHIVE_NOTE}${month} ${part}`
}

/** Such as `activities-2026-03.claviger`, and `activities-2026-03-2.claviger` for what was found later. */
export function archiveFileName({ month, part }: ArchiveName): string {
  return `activities-${month}${part === 1 ? '' : `-${part}`}.claviger`
}

export function readArchiveFileName(name: string): ArchiveName | undefined {
  const [, month, part] = /^activities-(\d{4}-\d\d)(?:-(\d{1,6}))?\.claviger$/.exec(name) ?? []
  return month === undefined ? undefined : { month, part: Number(part ?? 1) }
}

export function notedArchive(name: ArchiveName, file: string, manifest: CopyManifest): NotedArchive {
  const { rows, sha256 } = manifest.tables.activities
  return { ...name, activities: rows, sha256, file }
}

/** What the vault proves of an archive; a root proof of anything else does not begin as it does. */
export function archiveText({ month, part, activities, sha256, file }: NotedArchive): string {
  return `archive ${month} ${part}: ${activities} activities, sha256 ${sha256}, file ${file}`
}

/** @returns undefined where the note is none that `archiveText` and its proof make, or has the name of another */
export function readArchiveNote(
  name: string,
  value: string,
): (NotedArchive & { readonly proof: string }) | undefined {
  const [line, ...more] = notedProofs(value)
  if (line === undefined || more.length > 0) return undefined
  const [text, proof] = line
  const [, month = '', part = '', activities = '', sha256 = '', file = ''] =
    /^archive (\d{4}-\d\d) (\d{1,6}): (\d{1,15}) activities, sha256 ([0-9a-f]{64}), file ([0-9a-f]{64})$/.exec(
      text,
    ) ?? []
  const noted = { month, part: Number(part), activities: Number(activities), sha256, file }
  return archiveNoteName(noted) === name ? { ...noted, proof } : undefined
}
