import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anMfaSetting, API_KEY, byKey, COMPLETED, NEEDED, SESSION, statusOf } from './testing/setting.ts'

test('a step that names a session profile takes a session under it, and neither a plain one nor one under another', async (t) => {
  const { service, root, send, propose, approve, policy, statuses, apiKeyIdOf } = await anMfaSetting(t)
  const { userId } = root
  const keyId = await apiKeyIdOf(userId)
  const profile = async (sessionProfileName: string): Promise<string> => {
    // A vote is a request of its own, and the scope is about it.
    const scope = "activity.kind == 'APPROVE_ACTIVITY'"
    const made = await service.done(root, 'ACTIVITY_TYPE_CREATE_SESSION_PROFILE', {
      sessionProfileName,
      scope,
    })
    return made.sessionProfileId
  }
  const session = async (sessionProfileId?: string) => {
    const key = service.newKey()
    const login = {
      publicKey: key.publicKey,
      ...(sessionProfileId === undefined ? {} : { sessionProfileId }),
    }
    assert.equal(statusOf(await send(byKey(root.key), 'STAMP_LOGIN', login)), COMPLETED)
    return byKey(key)
  }
  const [named, another] = [await profile('Approves'), await profile('Another')]
  const [plain, under, elsewhere] = [await session(), await session(named), await session(another)]
  await policy(userId, [[API_KEY], [{ ...SESSION, id: named }]])

  const { fingerprint, id, status } = await propose(byKey(root.key))
  assert.equal(status, NEEDED)
  assert.equal(statusOf(await approve(plain, fingerprint)), NEEDED)
  assert.equal(statusOf(await approve(elsewhere, fingerprint)), NEEDED)
  assert.equal(statusOf(await approve(under, fingerprint)), COMPLETED)
  const [found] = await statuses(id)
  assert.equal(found.satisfied, true)
  assert.deepEqual(found.satisfiedMethods, [
    { ...API_KEY, id: keyId },
    { ...SESSION, id: named },
  ])
})
