import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aService } from '../../../test/support/service.ts'

const service = await aService()
after(() => service.close())

const long = '['.repeat(1024 * 1024)

for (const path of ['/public/v1/submit/create_policy', '/public/v1/query/whoami']) {
  test(`${path}: a long body without a stamp is refused for want of one, and not read`, async () => {
    for (const headers of [{}, { 'x-stamp': 'no stamp' }, { 'x-stamp-attested': 'e30' }]) {
      const { status, text } = await service.post(path, long, headers)
      assert.equal(status, 401, text)
    }
    const short = await service.post(path, '[', {})
    assert.equal(short.status, 400, short.text)
  })
}
