import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { packagesMissing } from '../support/packages-missing.ts'
import { runCommand, runService, temporaryFolder } from '../support/running-service.ts'
import { ageActivities } from '../support/sealed-copies.ts'
import { anS3 } from '../support/storage/s3-server.ts'
import { founder, init, post, signs } from './founder.ts'

const YEAR_MS = 366 * 24 * 60 * 60 * 1000
const skip = packagesMissing('s3')

test('archive brings a month of long ago into a bucket, which verify and find read, without the right to delete', {
  skip,
}, async (t) => {
  const { environment, bucket, objects, uploads, asked, wrong, secret } = await anS3(t)
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder, ...environment }
  const { organizationId } = await init(dataFolder, key)
  const service = await runService('serve', { dataFolder })
  try {
    assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
  } finally {
    await service.kill()
  }
  ageActivities(dataFolder, YEAR_MS)
  const place = `s3://${bucket}/claviger`
  const { AWS_REGION: region, ...unnamed } = settings
  const nowhere = await runCommand(['archive', 'make', '--to', place], { ...unnamed, AWS_REGION: '' })
  assert.equal(nowhere.code, 1)
  assert.match(nowhere.output, /^claviger archive: s3:\S+ needs AWS_REGION, or a region in the profile;/m)
  assert.equal(region, 'eu-central-1')

  // Of the service itself, so that the newest activity is not the one that is archived.
  const again = await runService('serve', { dataFolder })
  try {
    assert.equal(await signs(again.url, { organizationId, key }), 'Ada')
  } finally {
    await again.kill()
  }
  const made = await runCommand(['archive', 'make', '--to', place, '--json'], settings)
  assert.equal(made.code, 0, made.output)
  const [{ path, month, activities }] = JSON.parse(lastLine(made.output)).files
  assert.deepEqual([path, activities], [`${place}/activities-${month}.claviger`, 2])
  const stored = `claviger/activities-${month}.claviger`
  assert.deepEqual([...objects.keys()].toSorted(), [stored, 'claviger/write-once.txt'])
  assert.ok(!objects.get(stored)?.includes(organizationId), 'it is encrypted')

  const verified = await runCommand(['verify', '--archives', place], settings)
  assert.equal(verified.code, 0, verified.output)
  assert.match(verified.output, /^-- {2}2 of 2 archived activities were read in their files$/m)
  const find = ['archive', 'find', '--in', place, '--organization', organizationId]
  const found = await runCommand(find, settings)
  assert.equal(found.code, 0, found.output)
  assert.equal(found.output.split('\n').filter((line) => line.startsWith('{')).length, 2)

  const whole = objects.get(stored) ?? assert.fail()
  const [{ id: activityId }] = found.output
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  const answering = await runService('serve', { dataFolder, ...environment, CLAVIGER_ARCHIVES: place })
  try {
    const asked = { organizationId, activityId }
    const by = { organizationId, key }
    const { activity } = await post(answering.url, by, '/public/v1/query/get_activity', asked)
    assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED')
    objects.delete(stored)
    await assert.rejects(post(answering.url, by, '/public/v1/query/get_activity', asked), /: 503 /)
    assert.equal(await signs(answering.url, by), 'Ada')
    assert.ok(!answering.output().includes(secret))
  } finally {
    await answering.kill()
  }
  objects.set(stored, whole.subarray(0, -1))
  const shortened = await runCommand(['verify', '--archives', place], settings)
  assert.equal(shortened.code, 3)
  assert.match(shortened.output, /^!! {2}archive \S+: .*damaged/m)
  objects.delete(stored)
  const gone = await runCommand(['verify', '--archives', place], settings)
  assert.equal(gone.code, 3)
  assert.match(gone.output, /2 activities were archived in it, and it is not in s3:\/\/archives\/claviger$/m)
  const stranger = { ...settings, AWS_SECRET_ACCESS_KEY: 'other' }
  const refused = await runCommand(['verify', '--archives', place], stranger)
  assert.equal(refused.code, 1)
  assert.match(refused.output, /does not accept the credentials \(SignatureDoesNotMatch\)$/m)
  for (const { output } of [nowhere, made, verified, found, shortened, gone, refused])
    assert.ok(!output.includes(secret))
  assert.equal(uploads.size, 0)
  assert.deepEqual(wrong, [])
  // No command that makes, verifies, finds or serves archives needs the right to delete. A request for it would be in
  // `wrong`.
  assert.deepEqual([...new Set(asked)].toSorted(), [
    'AbortMultipartUpload',
    'CompleteMultipartUpload',
    'CreateMultipartUpload',
    'GetObject',
    'HeadObject',
    'ListObjectsV2',
    'UploadPart',
  ])
})

test('an address that is no place of archives is named before anything is done', async () => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder }
  await init(dataFolder, key)
  for (const address of [
    'https://archives.s3.example.com/claviger',
    's3://',
    's3://Archives',
    's3://archives/../other',
    's3://archives/a//b',
    's3://archives/a?b',
    's3://key:secret@archives/a',
    'gs://archives',
    // Folders of these names would be made where the command runs, which may be a container that goes away.
    's3:/archives/claviger',
    's3:archives',
  ]) {
    const { code, output } = await runCommand(['archive', 'make', '--to', address], settings)
    assert.equal(code, 1, output)
    assert.match(output, /cannot hold archives: use a folder, or s3:\/\/bucket\/prefix/)
  }
  const folder = join(temporaryFolder(), 's3:', 'archives')
  const { code, output } = await runCommand(['archive', 'make', '--to', folder], settings)
  assert.equal(code, 0, output)
})

function lastLine(output: string): string {
  return output.trimEnd().split('\n').at(-1) ?? ''
}
