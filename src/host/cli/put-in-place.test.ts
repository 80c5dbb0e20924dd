import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../test/support/running-service.ts'
import { fileBeside } from '../app/file-beside.ts'
import { exitCodeOf } from './exit-code-of.ts'
import { putInPlace } from './put-in-place.ts'

/** A file, and a new one of this run beside it. */
function replacing() {
  const path = join(temporaryFolder(), 'root.key')
  writeFileSync(path, 'before')
  const beside = fileBeside(path)
  writeFileSync(beside, 'after')
  return { path, beside, text: 'before' }
}

function refuses({ path, ...files }: ReturnType<typeof replacing>, what: RegExp): void {
  assert.throws(
    () => putInPlace(path, files),
    (error) => {
      assert.match(String(error), what)
      assert.equal(exitCodeOf(error), 1)
      return true
    },
  )
}

test('a new file takes the place of the one that was read', () => {
  const { path, ...files } = replacing()
  putInPlace(path, files)
  assert.equal(readFileSync(path, 'utf8'), 'after')
})

test('a run that finds the new file of another one gives way', () => {
  const own = replacing()
  const others = `${own.path}.new-${'0'.repeat(16)}`
  writeFileSync(others, 'of another run')
  refuses(own, /another command is replacing \S+root\.key: nothing was written, run the command again/)
  assert.equal(readFileSync(own.path, 'utf8'), 'before')
  // After the other one has put its own in place, what this one has read is no longer there.
  rmSync(others)
  writeFileSync(own.path, 'of another run')
  refuses(own, /root\.key was changed in the meantime: nothing was written, run the command again/)
  assert.equal(readFileSync(own.path, 'utf8'), 'of another run')
})

test('a run whose new file another one has removed writes nothing', () => {
  const own = replacing()
  fileBeside(own.path)
  refuses(own, /root\.key was changed in the meantime: nothing was written, run the command again/)
  assert.equal(readFileSync(own.path, 'utf8'), 'before')
})
