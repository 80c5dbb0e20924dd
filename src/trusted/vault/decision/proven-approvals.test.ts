import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService } from '../../../../test/support/service.ts'
import { type StampKey, stampWith } from '../../../../test/support/stamper.ts'
import { aToken } from '../../activities/sessions/testing/logins.ts'
import { present } from '../../base/assert.ts'
import { costs } from '../../base/costs.ts'
import { Secret } from '../../base/secret.ts'
import { Pace, SLICE, Work } from '../../base/work.ts'
import { openKeyring } from '../keys/keyring.ts'
import { provenApprovals } from './proven-approvals.ts'
import { openCharter } from '../seals/seals.ts'
import { openService } from '../keys/service-keys.ts'
import { compileAtOnce } from '../charters/compiled-charter.ts'
import { type Vote, VOTE_LIFETIME_MS, votesOf } from '../records/votes.ts'

// A record with these votes would bear the vault's seal: nothing but their own stamps stands against what is wrong in
// them.
test('a stored vote counts while its own bytes, its stamp and the charter of now prove it, and not otherwise', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root, store, world, organizationId } = service
  const grace = await service.user('Grace')
  const userIds = [root.userId, grace.userId]
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  world.advance(1)
  const tag = { userTagName: 'Signers', userIds: [] }
  const { json } = await service.submit(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)
  const row = present(await store.activity(organizationId, json.activity.id), 'what waits')
  const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])
  const compiled = compileAtOnce(openCharter(keyring, present(await store.charter(organizationId), 'it')), {})
  const counted = async (vote: Vote, now = world.now()) =>
    (await provenApprovals(compiled, [vote], { service: openService(keyring), now, work: unpaced() })).map(
      ({ user }) => user.userId,
    )
  const vote = present(votesOf(row.votes)[0], 'the vote of who asked')

  assert.deepEqual(await counted(vote), [root.userId])

  const another = vote.message.replace('Signers', 'Traders')
  const byGrace = JSON.parse(
    Buffer.from(stampWith(grace.key, vote.message).stampHeaderValue, 'base64url').toString(),
  )
  const wrong: Readonly<Record<string, Partial<Vote>>> = {
    'other bytes': { message: another },
    'bytes that are sent otherwise': { message: `${vote.message} ` },
    'the stamp of somebody else': { signature: byGrace.signature },
    'the key of somebody else': { publicKey: byGrace.publicKey },
    'a good vote under the name of another': { userId: grace.userId },
    'the vote of another under this name': { publicKey: byGrace.publicKey, signature: byGrace.signature },
    'a key that nobody has': { publicKey: service.newKey().publicKey },
    'another scheme': { scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1' },
    'a rejection': { selection: 'VOTE_SELECTION_REJECTED' },
  }
  for (const [what, change] of Object.entries(wrong))
    assert.deepEqual(await counted({ ...vote, ...change }), [], what)
  assert.deepEqual(await counted(vote, world.now() + VOTE_LIFETIME_MS), [], 'a day later')

  let turns = 0
  const work = new Work(new Pace(async () => void turns++), organizationId)
  const many = Array.from({ length: 100 }, () => vote)
  await provenApprovals(compiled, many, { service: openService(keyring), now: world.now(), work })
  assert.equal(work.spent, many.length * costs.vote, 'each of many is charged')
  assert.ok(turns >= work.spent / (2 * SLICE), `others are judged between: ${turns} turns`)
})

function unpaced(): Work {
  return new Work(new Pace(async () => {}), 'a tenant')
}

test('a stored vote by a token counts while its own bytes, the key and the contact of its user prove it', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { root, store, world, organizationId } = service
  const { userId } = root
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail: 'ada@example.com' })
  const feature = { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' }
  await service.done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', feature)
  const grace = await service.user('Grace')
  const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])
  const compiled = compileAtOnce(openCharter(keyring, present(await store.charter(organizationId), 'it')), {})
  const key = service.newKey()
  const [row] = await store.activities(organizationId, {}, { limit: 1 })
  const byKey = present(votesOf(present(row, 'the last record').votes)[0], 'the vote of its sender')
  const votedWith = (stamped: string, by: StampKey, contact: string): Vote => {
    const stamp = stampWith(by, stamped).stampHeaderValue
    const { publicKey, signature } = JSON.parse(Buffer.from(stamp, 'base64url').toString())
    const token = aToken(service, { organizationId, contact, publicKey: key.publicKey })
    const scheme = 'STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN'
    return {
      ...byKey,
      userId,
      publicKey,
      signature: JSON.stringify({ publicKeyAttestation: token, scheme, publicKey, signature }),
      scheme: 'SIGNATURE_SCHEME_TK_ATTESTED_P256',
    }
  }
  const counted = async (vote: Vote) =>
    (
      await provenApprovals(compiled, [vote], {
        service: openService(keyring),
        now: world.now(),
        work: unpaced(),
      })
    ).map(({ user }) => user.userId)

  const vote = votedWith(byKey.message, key, 'ada@example.com')
  assert.deepEqual(await counted(vote), [userId])
  for (const [what, wrong] of Object.entries({
    'other bytes': votedWith(`${byKey.message} `, key, 'ada@example.com'),
    'a key to which the token is not bound': votedWith(byKey.message, service.newKey(), 'ada@example.com'),
    'a contact of nobody': votedWith(byKey.message, key, 'nobody@example.com'),
    'the name of another': { ...vote, userId: grace.userId },
  }))
    assert.deepEqual(await counted(wrong), [], what)
})
