import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { encryptOauth2ClientSecret } from '@turnkey/crypto'
import { nextPage } from '../../src/host/rotation/pass.ts'
import type { ResealRequest } from '../../src/protocol/vault.ts'
import { present } from '../../src/trusted/base/assert.ts'
import type { CharterRow } from '../../src/trusted/catalogue/unit.ts'
import { workAlone } from '../../src/trusted/base/testing/work-alone.ts'
import { openQuorumEnvelope } from '../../src/trusted/crypto/quorum-envelope.ts'
import { openService } from '../../src/trusted/vault/keys/service-keys.ts'
import { Memory } from '../../src/trusted/vault/memory/memory.ts'
import { renewedCharters } from '../../src/trusted/vault/memory/renewed-charters.ts'
import { renewed, second, stolen } from '../support/renewed-service-keys.ts'
import { stampWith } from '../support/stamper.ts'
import { aService, type Member, type TestService } from '../support/service.ts'

// When a key of OAuth 2.0 is renewed, the vault writes charters anew that nobody has asked it to amend. What a hostile
// host may try with that: it brings the vault what it likes, and does with the answer what it likes.

const SECRET = 'the client secret'

/** An organization with a client secret under the version of before, and a user who is about to be deleted. */
async function setting(t: TestContext) {
  const service = await aService()
  t.after(service.close)
  await credential(service, service.root)
  const mallory = await service.user('Mallory')
  const charter = async (of = service): Promise<CharterRow> =>
    present(await service.store.charter(of.organizationId), 'the charter')
  const old = await charter()
  const fresh = renewed(service)
  return { service, mallory, old, fresh, charter, renew: renewing(service) }
}

async function credential(service: TestService, by: Member): Promise<void> {
  await service.done(by, 'ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL', {
    provider: 'OAUTH2_PROVIDER_DISCORD',
    clientId: '4711',
    encryptedClientSecret: await encryptOauth2ClientSecret(
      SECRET,
      (await service.vault.serviceKeys()).oauth2,
    ),
  })
}

/** Asks the vault to write charters anew, as a host does in a pass. */
function renewing({ vault }: Pick<TestService, 'vault'>) {
  return async (...withSecrets: readonly CharterRow[]) => {
    const page: ResealRequest = {
      pass: 'of a liar',
      place: 'x',
      seals: [],
      unread: 0,
      charters: [],
      activities: [],
      objects: [],
      jobs: [],
      withSecrets,
    }
    const answer = await vault.reseal(page)
    assert.ok(answer.kind === 'resealed')
    return answer
  }
}

/** Shows the vault a charter of the host's choice, in a question of its root user. */
async function shown({ vault, world, root }: TestService, charter: CharterRow) {
  world.advance(1)
  const body = JSON.stringify({ organizationId: charter.organizationId, timestampMs: String(world.now()) })
  const stamp = stampWith(root.key, Buffer.from(body))
  const answer = await vault.identify({
    organizationId: charter.organizationId,
    body,
    stamp: { xStamp: stamp.stampHeaderValue },
    charters: [charter],
  })
  return answer.kind
}

function said(row: CharterRow) {
  const { version: _, oauth2Credentials, ...rest } = JSON.parse(row.body)
  return {
    rest,
    credentials: oauth2Credentials.map(
      ({ encryptedClientSecret: __, ...one }: { encryptedClientSecret: string }) => one,
    ),
  }
}

test('a charter that is written anew says what it said, one version later, and cannot be counted up by asking again', async (t) => {
  const { service, old, renew } = await setting(t)
  const { renewed: first, count } = await renew(old, old)
  assert.deepEqual([first.length, count.unsealed], [2, 0])
  for (const row of first) {
    assert.equal(row.version, old.version + 1)
    assert.deepEqual(said(row), said(old))
    const again = await renew(row)
    assert.deepEqual([again.renewed, again.troubles], [[], []])
  }
  const [one, other] = first
  assert.ok(one !== undefined && other !== undefined)
  // Whichever it was shown first is the one of that version.
  assert.equal(await shown(service, one), 'signer')
  assert.equal(await shown(service, other), 'outdated')
  assert.equal(await shown(service, old), 'outdated')
  assert.match((await renew(old)).troubles.join(), /older than the vault has seen it/)
})

test('a user who was deleted meanwhile does not come back with a charter that was written anew before', async (t) => {
  const { service, mallory, old, charter, renew } = await setting(t)
  const [anew] = (await renew(old)).renewed
  assert.ok(anew !== undefined)
  await service.done(service.root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [mallory.userId] })
  const now = await charter()
  assert.equal(now.version, anew.version)
  assert.equal(await shown(service, anew), 'outdated')
  for (const row of [old, anew]) {
    const { renewed: none, troubles } = await renew(row)
    assert.deepEqual(none, [])
    assert.match(troubles.join(), /older than the vault has seen it/)
  }
  assert.equal(await shown(service, now), 'signer')
})

test('what is no charter of this vault is not written anew: changed, of another organization, or under no version', async (t) => {
  const { service, old, renew } = await setting(t)
  const other = service.of(await service.newOrganization())
  const theirs = present(await service.store.charter(other.organizationId), 'a charter')
  const mine = JSON.parse(old.body)
  const forged: readonly CharterRow[] = [
    { ...old, version: old.version + 100 },
    { ...old, organizationId: other.organizationId },
    { ...theirs, body: old.body },
    { ...theirs, seal: old.seal },
    { ...old, body: JSON.stringify({ ...mine, rootQuorum: { threshold: 1, userIds: [] } }) },
    { ...old, seal: old.seal.replace(/^(\d+)\.\d+/, '$1.99') },
    { ...old, seal: '' },
    { ...old, body: 'no JSON' },
  ]
  for (const row of forged) {
    const { renewed: none, count } = await renew(row)
    assert.deepEqual([none, count.unsealed], [[], 1], row.body.slice(0, 40))
  }
  // The others of the page are written all the same.
  assert.equal((await renew(forged[0] ?? old, old)).renewed.length, 1)
})

test('a vault that runs out of randomness says so, and blames neither the charter nor its secrets', async (t) => {
  const { service, old } = await setting(t)
  const { keyring, world } = service
  const randomBytes = () => {
    throw new Error('no randomness is left')
  }
  const means = { keyring, memory: new Memory(world), world: { ...world, randomBytes } }
  const troubles: string[] = []
  await assert.rejects(renewedCharters(means, [old], troubles, workAlone()), /no randomness is left/)
  assert.deepEqual(troubles, [])
})

test('the vault tells no client secret, and takes one from no other organization', async (t) => {
  const { service, old, renew } = await setting(t)
  const answer = await renew(old)
  const told = JSON.stringify(answer)
  for (const text of [SECRET, Buffer.from(SECRET).toString('hex'), Buffer.from(SECRET).toString('base64')])
    assert.ok(!told.includes(text))
  const [row] = answer.renewed
  const [{ encryptedClientSecret }] = JSON.parse(present(row, 'a charter').body).oauth2Credentials
  const open = (secrets: readonly Uint8Array[]) => openQuorumEnvelope(encryptedClientSecret, secrets)
  assert.equal(Buffer.from(open([openService(service.keyring).oauth2Secrets[0]])).toString(), SECRET)
  // The version of before, which a thief has, opens it no more.
  assert.throws(() => open(openService(service.keyring).oauth2Secrets.slice(1)))
})

test('a client secret that no version opens any more stays as it is, and keeps no version from being retired', async (t) => {
  const { service, old, fresh, renew } = await setting(t)
  service.keyring.adopt({ versions: [stolen, second], seals: 2, service: fresh })
  const { renewed: none, troubles, count } = await renew(old)
  assert.deepEqual([none, troubles, count.unsealed, count.secrets?.left], [[], [], 0, 0])
})

test('of a charter that moves on while it is written anew, the one is kept that was committed', async (t) => {
  const { service, mallory, charter } = await setting(t)
  const { store, vault, keyring } = service
  let deleted = false
  const slow = {
    ...store,
    commit: async (unit: Parameters<typeof store.commit>[0]) => {
      if (!deleted) {
        deleted = true
        await service.done(service.root, 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [mallory.userId] })
      }
      return await store.commit(unit)
    },
  }
  await nextPage({ store: slow, vault }, { pass: 'a pass', count: undefined, to: keyring.version })
  assert.ok(!(await charter()).body.includes(mallory.userId))
  const { count } = await nextPage({ store, vault }, { pass: 'next', count: undefined, to: keyring.version })
  assert.deepEqual(present(count, 'a count').secrets, { to: 2, left: 1 })
  const after = await charter()
  assert.ok(!after.body.includes(mallory.userId))
  assert.equal((await service.query(service.root, 'whoami')).status, 200)
})
