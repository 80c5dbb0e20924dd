import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ran } from '../languages/ran.ts'
import { packagesMissing } from '../support/packages-missing.ts'
import { projectFolder } from '../support/running-service.ts'
import { anS3 } from '../support/storage/s3-server.ts'

const skip = packagesMissing('s3')
const MEGABYTES = '12'

test('npm run storage ends well with a storage that writes once, and badly with another', {
  skip,
}, async (t) => {
  const good = await anS3(t)
  const tried = await ranWith(good.environment, `s3://${good.bucket}/prefix`)
  assert.equal(tried.code, 0, tried.output)
  assert.equal(tried.output.match(/^ok {2}/gm)?.length, 5, tried.output)
  assert.deepEqual(good.wrong, [])

  const careless = await anS3(t, { knowsConditions: false })
  const refused = await ranWith(careless.environment, `s3://${careless.bucket}/prefix`)
  assert.equal(refused.code, 1, refused.output)
  assert.match(refused.output, /If-None-Match/)
})

function ranWith(environment: Readonly<Record<string, string>>, address: string) {
  const args = ['test/storage/run.ts', address, MEGABYTES]
  return ran({ program: process.execPath, args, cwd: projectFolder, environment })
}
