import { readFileSync } from 'node:fs'

/** The lines of these files except comments, in the form of `age-keygen`. */
export function identitiesIn(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  )
}
