import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { present } from '../../src/trusted/base/assert.ts'
import { CHARTER_FORMAT } from '../../src/trusted/charter/charter-document.ts'
import { policyDigest } from '../../src/trusted/charter/policy-text.ts'
import { type JsonAnswer, testWorld } from '../support/service.ts'
import { stampKeyFrom } from '../support/stamper.ts'
import { onFile, sentBy, START } from '../tampering/harness.ts'
import { done, signing } from '../tampering/populated.ts'

// `before-formats.db.gz`: what `populate` of test/tampering left on the embedded store in the last version before seals
// of format 2, charters with a format number and records that say what they were decided on.

const folder = mkdtempSync(join(tmpdir(), 'claviger-stored-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const keyId = '01a1fb67-1806-7477-a029-42c321b47e5f'
const waiting = 'sha256:24cf105626f45dd33df9bb8ace354f730f6c3c6fcb5a44f9dd5909171b914cb1'

test('data of the version before opens: it is read, voted on, amended and signed with, and old records stay as they were', async () => {
  const path = join(folder, 'before.db')
  writeFileSync(path, gunzipSync(readFileSync(new URL('before-formats.db.gz', import.meta.url))))
  await onFile(
    path,
    async (service, store) => {
      const { organizationId, userId, key } = await theRoot(store)
      const root = { organizationId, userId, key }
      const before = await store.activities(organizationId, {}, { limit: 1000 })
      for (const { activityId } of before) {
        const body = { organizationId, activityId }
        for (const route of ['query/get_activity', 'query/get_policy_evaluations']) {
          const { status, text } = await service.send(sentBy(key, route, body))
          assert.equal(status, 200, text)
        }
      }
      const signed = await service.send(signing(service.world, root, keyId, '31'))
      assert.equal(signed.status, 200)
      const approved = await done(service, root, 'APPROVE_ACTIVITY', { fingerprint: waiting })
      assert.equal(typeof approved.r, 'string')
      const row = present(await store.awaitedActivity(organizationId, waiting), 'the record')
      assert.equal(row.status, 'ACTIVITY_STATUS_COMPLETED')
      const [first, second] = JSON.parse(row.evaluations) as JsonAnswer[]
      assert.deepEqual([first?.decided, typeof second?.decided.charter.digest], [undefined, 'string'])

      // The text of a policy that came before texts were kept is kept when it goes.
      const charter = JSON.parse(present(await store.charter(organizationId), 'a charter').body)
      const policy = charter.policies[0]
      await done(service, root, 'DELETE_POLICY', { policyId: policy.policyId })
      const [text] = await store.objects(organizationId, 'policy_text', [policyDigest(policy)])
      assert.equal(JSON.parse(present(text, 'the text').body).condition, policy.condition)
      const later = JSON.parse(present(await store.charter(organizationId), 'a charter').body)
      assert.deepEqual([charter.format, later.format], [undefined, CHARTER_FORMAT])
    },
    START + 60_000,
  )
})

/** Whose key was the first that the seed of these tests gave, after the challenge of the root key. */
async function theRoot(store: Parameters<Parameters<typeof onFile>[1]>[1]) {
  const { randomBytes } = testWorld(1, START)
  randomBytes(16)
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', randomBytes)
  const row = present(await store.charter('01a1fb67-1800-7719-98fe-363b9c29116c'), 'the first organization')
  const { organizationId, users } = JSON.parse(row.body)
  assert.equal(users[0].apiKeys[0].publicKey, key.publicKey)
  return { organizationId, userId: users[0].userId, key }
}
