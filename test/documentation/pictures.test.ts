import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectFolder } from '../support/running-service.ts'
import { guidePictures, testsThatTake } from './guide-pictures.ts'

/** Whom there is a guide with pictures for. */
const GUIDES = {
  approvers: 'docs/how-to/approve.md',
  administrators: 'docs/how-to/console.md',
  'front-end developers': 'docs/how-to/frames.md',
}

const shownIn = (path: string): readonly string[] =>
  [...readFileSync(join(projectFolder, path), 'utf8').matchAll(/pictures\/([\w-]+)\.png/g)].map(
    ([, name = '']) => name,
  )

test('each picture is shown by a guide, and taken by one test of the screen that it shows', () => {
  const shown = globSync('docs/**/*.md', { cwd: projectFolder }).flatMap(shownIn)
  assert.deepEqual([...new Set(shown)].toSorted(), guidePictures())
  for (const picture of guidePictures()) assert.equal(testsThatTake(picture).length, 1, picture)
})

for (const [readers, path] of Object.entries(GUIDES))
  test(`the guide for ${readers} has pictures`, () => {
    assert.ok(shownIn(path).length >= 2, path)
  })
