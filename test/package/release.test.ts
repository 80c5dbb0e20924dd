import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { releaseNotes } from '../../release/changelog.ts'
import { cloneOf, git, packed, released } from './packed.ts'

const { npm, clone, folder, said, version } = packed
/** The service, the packages with dependencies of their own, and the package for bundlers. */
const NAMES = [
  'claviger',
  'claviger-mcp',
  'claviger-aws-kms',
  'claviger-google-kms',
  'claviger-azure-key-vault',
  'claviger-opentelemetry',
  'claviger-s3',
  'claviger-turnkey-crypto',
]
/** As they stand in the checksums. */
const RELEASED = ['tgz', 'cdx.json'].flatMap((ending) => NAMES.map((name) => `${name}-${version}.${ending}`))

test('two clones of a commit make the same release, byte by byte', () => {
  const other = released(cloneOf(clone), npm).folder
  const files = readdirSync(folder).toSorted()
  assert.deepEqual(files, ['SHA256SUMS', ...RELEASED].toSorted())
  assert.deepEqual(readdirSync(other).toSorted(), files)
  for (const file of files)
    assert.ok(readFileSync(join(folder, file)).equals(readFileSync(join(other, file))), file)
})

test('the checksums are those of the files, in the form that sha256sum checks', () => {
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
  assert.deepEqual(
    sums,
    RELEASED.map((file) => {
      const digest = createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')
      return `${digest}  ${file}`
    }),
  )
})

test('a release publishes nothing, and says what the operator would type', () => {
  const commit = git(clone, ['rev-parse', 'HEAD'])
  assert.ok(
    said.includes(`\n\nNothing is published. When the tests of commit ${commit} have passed:\n`),
    said,
  )
  assert.ok(said.includes(`  git tag -a v${version} -m 'Claviger ${version}' ${commit}\n`), said)
  for (const name of NAMES) assert.ok(said.includes(`  npm publish ${folder}/${name}-${version}.tgz`), said)
  assert.equal(git(clone, ['tag']), '')
})

test('a release is refused from a clone with changes, and of a version that is released from another commit', () => {
  const other = cloneOf(clone)
  writeFileSync(join(other, 'src', 'new.ts'), '')
  assert.throws(() => released(other, npm), /this clone has changes:\n\?\? src\/new\.ts/)
  git(other, ['add', '.'])
  git(other, ['commit', '--quiet', '--message', 'One more'])
  git(other, ['tag', `v${version}`, 'HEAD~1'])
  assert.throws(() => released(other, npm), /is released already, from another commit: choose the next one/)
})

test('the changelog has to name the version first, with the day of its release and with notes', () => {
  const changelog =
    '# Changelog\n\n## 1.1.0, 2026-11-30\n\nOne.\n\n### Two\n\n- Three.\n\n## 1.0.0, 2026-10-01\n\nFour.\n'
  assert.deepEqual(releaseNotes(changelog, '1.1.0'), {
    date: '2026-11-30',
    text: 'One.\n\n### Two\n\n- Three.',
  })
  assert.throws(
    () => releaseNotes(changelog, '1.0.0'),
    /has version 1\.0\.0, and the newest of CHANGELOG\.md is 1\.1\.0/,
  )
  assert.throws(() => releaseNotes('# Changelog\n', '1.0.0'), /the newest of CHANGELOG\.md is missing/)
  const unreleased = changelog.replace(', 2026-11-30', ', not released')
  assert.throws(() => releaseNotes(unreleased, '1.1.0'), /says "## 1\.1\.0, not released": write the day/)
  const empty = '## 1.1.0, 2026-11-30\n\n## 1.0.0, 2026-10-01\n\nFour.\n'
  assert.throws(() => releaseNotes(empty, '1.1.0'), /says nothing about version 1\.1\.0/)
})
