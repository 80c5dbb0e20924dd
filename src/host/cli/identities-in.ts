import { readTextFile } from './read-file.ts'

/** The lines of these files except comments, in the form of `age-keygen`. */
export function identitiesIn(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) =>
    readTextFile(path)
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  )
}
