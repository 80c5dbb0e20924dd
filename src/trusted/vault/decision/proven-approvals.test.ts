import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService } from '../../../../test/support/service.ts'
import { stampWith } from '../../../../test/support/stamper.ts'
import { present } from '../../base/assert.ts'
import { Secret } from '../../base/secret.ts'
import { openKeyring } from '../keys/keyring.ts'
import { provenApprovals } from './proven-approvals.ts'
import { openCharter } from '../seals/seals.ts'
import { openService } from '../keys/service-keys.ts'
import { compileAtOnce } from '../charters/compiled-charter.ts'
import { type Vote, VOTE_LIFETIME_MS, votesOf } from '../records/votes.ts'

// A record with these votes would bear the vault's seal: nothing but their own stamps stands against what is wrong in them.
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
    (await provenApprovals(compiled, [vote], openService(keyring), now)).map(({ user }) => user.userId)
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
})
