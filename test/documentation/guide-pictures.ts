import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { projectFolder } from '../support/running-service.ts'

export const PICTURES = join(projectFolder, 'docs/pictures')

/** The pictures of the guides: `user` for `docs/pictures/user.png`. */
export function guidePictures(): readonly string[] {
  return globSync('*.png', { cwd: PICTURES })
    .map((path) => basename(path, '.png'))
    .toSorted()
}

/** The test files that take a picture under this name. */
export function testsThatTake(picture: string): readonly string[] {
  const taken = new RegExp(`\\b(look|keepPicture)\\(\\S+, '${picture}'\\)`)
  const paths = globSync('test/{console,clients}/*.test.ts', { cwd: projectFolder })
  return paths.filter((path) => taken.test(readFileSync(join(projectFolder, path), 'utf8')))
}
