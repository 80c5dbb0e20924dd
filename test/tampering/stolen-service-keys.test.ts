import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  encryptOauth2ClientSecret,
  encryptPrivateKeyToBundle,
  verifySessionJwtSignature,
} from '@turnkey/crypto'
import { present } from '../../src/trusted/base/assert.ts'
import { idAt } from '../../src/trusted/base/ids.ts'
import { PUBLIC_PURPOSES, serviceTerms } from '../../src/trusted/catalogue/service-purposes.ts'
import type { Charter } from '../../src/trusted/charter/charter.ts'
import { nextPage, PASS_END } from '../../src/host/rotation/pass.ts'
import type { PassCount } from '../../src/protocol/vault.ts'
import { openQuorumEnvelope } from '../../src/trusted/crypto/quorum-envelope.ts'
import { importTargetBundle } from '../../src/trusted/crypto/bundles.ts'
import { readP256Key } from '../../src/trusted/crypto/p256.ts'
import { sealReadOnlySession } from '../../src/trusted/crypto/read-only-session.ts'
import { signSessionJwt } from '../../src/trusted/crypto/session-jwt.ts'
import { signVerificationToken } from '../../src/trusted/crypto/verification-token.ts'
import { openKeyring } from '../../src/trusted/vault/keys/keyring.ts'
import { openService } from '../../src/trusted/vault/keys/service-keys.ts'
import { renewed, second, stolen } from '../support/renewed-service-keys.ts'
import { aServiceWithIssuer } from '../support/service-with-issuer.ts'
import { anOtpSetting, EMAIL } from '../support/otp-setting.ts'
import type { Member, TestService } from '../support/service.ts'

const MINUTE_MS = 60_000
/** What signs and opens with keys that derive from it. */
const thief = openService(openKeyring([stolen]))

test('a thief of a retired root version forges no token, session or bundle once its service keys have ended', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, ada } = setting
  assert.deepEqual(await accepted(service, ada, thief), ['token', 'read-only session', 'session', 'bundle'])
  const renewedAt = service.world.now()
  const fresh = renewed(service)

  // The one before still verifies what was made with it, and the new one does already: other hosts may use it.
  const own = openService(service.keyring)
  for (const by of [thief, own])
    assert.deepEqual(await accepted(service, ada, by), ['token', 'read-only session', 'session', 'bundle'])
  const shown = await service.vault.serviceKeys()
  assert.deepEqual(
    shown.versions.map(({ purpose, version, state, until }) => [`${purpose} ${version} ${state}`, until]),
    PUBLIC_PURPOSES.flatMap((purpose) => [
      [`${purpose} 1 verifies`, renewedAt + serviceTerms[purpose].verifiesMs],
      [`${purpose} 2 used`, undefined],
    ]),
  )

  // What ends first ends first: each by its own instant, while the file still holds it.
  service.world.advance(serviceTerms['read-session'].verifiesMs)
  assert.deepEqual(await accepted(service, ada, thief), ['token', 'session', 'bundle'])
  service.world.advance(serviceTerms.otp.verifiesMs)
  assert.deepEqual(await accepted(service, ada, thief), ['session', 'bundle'])
  service.world.advance(serviceTerms.signer.verifiesMs)
  assert.deepEqual(await accepted(service, ada, thief), [])
  assert.deepEqual(await accepted(service, ada, own), ['token', 'read-only session', 'session', 'bundle'])

  // And with the file that has let go of all of it.
  service.keyring.adopt({ versions: [stolen, second], seals: 2, service: fresh })
  assert.deepEqual(await accepted(service, ada, thief), [])
  assert.deepEqual(await accepted(service, ada, own), ['token', 'read-only session', 'session', 'bundle'])
})

test('a token and a session that were made before the renewal are good until their own end', async (t) => {
  const { service, ada, token } = await anOtpSetting(t)
  const verificationToken = await token({ by: ada })
  const { session } = await service.done(ada, 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', {})
  renewed(service)
  assert.equal(await readsWith(service, ada, session), true)
  assert.equal(await logsInWith(service, ada, verificationToken), true)
})

test('no client secret that is kept is left under a retired version of its key, and each of them still logs in', async (t) => {
  const { service } = await aServiceWithIssuer(t, {
    oauth2Identity: (question) =>
      question.about === 'oauth2Identity'
        ? { kind: 'answered', text: JSON.stringify({ subject: '7', bearerToken: question.clientSecret }) }
        : { kind: 'failed', why: 'not asked' },
  })
  const { store, vault } = service
  const before = await service.vault.serviceKeys()
  const credential = async (clientSecret: string, key: string) =>
    await service.done(service.root, 'ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL', {
      provider: 'OAUTH2_PROVIDER_DISCORD',
      clientId: '4711',
      encryptedClientSecret: await encryptOauth2ClientSecret(clientSecret, key),
    })
  const charter = async () => present(await store.charter(service.organizationId), 'the charter')
  const opensTo = async (secrets: readonly Uint8Array[]): Promise<readonly string[]> => {
    const { oauth2Credentials }: Charter = JSON.parse((await charter()).body)
    return oauth2Credentials.flatMap(({ encryptedClientSecret }) => {
      try {
        return [Buffer.from(openQuorumEnvelope(encryptedClientSecret, secrets)).toString()]
      } catch {
        return []
      }
    })
  }
  await credential('before', before.oauth2)
  assert.deepEqual(await opensTo(thief.oauth2Secrets), ['before'])
  // Nothing to do, by a host that does not use the next version yet: its count says so.
  assert.deepEqual((await passOver(service)).secrets, { to: 1, left: 0 })

  service.keyring.adopt({ versions: [stolen, second], seals: 2, service: [] })
  const half = { pass: 'half', place: 'x', seals: [], unread: 0, activities: [], objects: [], jobs: [] }
  const begun = await vault.reseal({ ...half, charters: [], withSecrets: [] })
  assert.ok(begun.kind === 'resealed')

  const fresh = renewed(service)
  // What was counted by version 1 counts for nothing when version 2 is used.
  const goneOn = await vault.reseal({ ...half, count: begun.count, charters: [], withSecrets: [] })
  assert.equal(goneOn.kind, 'otherPass')
  service.world.advance(2 * serviceTerms.oauth2.verifiesMs)
  await credential('by a client that knows the old key', before.oauth2)
  await credential('after', (await vault.serviceKeys()).oauth2)
  assert.deepEqual(await opensTo(thief.oauth2Secrets), ['before'])
  const old = await charter()
  assert.deepEqual((await passOver(service)).secrets, { to: 2, left: 1 })
  const all = ['before', 'by a client that knows the old key', 'after']
  assert.deepEqual(await opensTo(thief.oauth2Secrets), [])
  assert.deepEqual(await opensTo([openService(service.keyring).oauth2Secrets[0]]), all)
  const now = await charter()
  assert.equal(now.version, old.version + 1)
  assert.deepEqual((await passOver(service)).secrets, { to: 2, left: 0 })

  const logIn = async (oauth2CredentialId: string): Promise<void> =>
    await service.done(service.root, 'ACTIVITY_TYPE_OAUTH2_AUTHENTICATE', {
      oauth2CredentialId,
      authCode: 'code',
      redirectUri: 'https://app.example/callback',
      codeVerifier: 'verifier',
      nonce: 'nonce',
    })
  const { oauth2Credentials }: Charter = JSON.parse(now.body)
  for (const { oauth2CredentialId } of oauth2Credentials) await logIn(oauth2CredentialId)
  // A charter that was put back is no reason to write it anew, and is told.
  const page = {
    place: PASS_END,
    pass: 'of a liar',
    seals: [],
    unread: 0,
    activities: [],
    objects: [],
    jobs: [],
  }
  const resealed = await vault.reseal({ ...page, charters: [], withSecrets: [old] })
  assert.ok(resealed.kind === 'resealed')
  assert.deepEqual([resealed.renewed, resealed.count.unsealed], [[], 1])

  service.keyring.adopt({ versions: [second], seals: 2, service: fresh })
  for (const { oauth2CredentialId } of oauth2Credentials) await logIn(oauth2CredentialId)
  await assert.rejects(credential('too late', before.oauth2), /encrypted envelope does not open/)
})

async function passOver({ store, vault, keyring }: TestService): Promise<PassCount> {
  let count: PassCount | undefined
  do {
    const page = await nextPage({ store, vault }, { pass: 'a pass', count, to: keyring.version })
    count = present(page.count, 'the same pass')
  } while (count.place !== PASS_END)
  return count
}

/**
 * What is accepted of that which somebody makes with these keys: by the service, or by a client that takes each key
 * that is shown.
 */
async function accepted(
  service: TestService,
  ada: Member,
  by: ReturnType<typeof openService>,
): Promise<readonly string[]> {
  const { organizationId, userId } = ada
  const now = service.world.now()
  const id = idAt(now, service.world.randomBytes)
  const token = signVerificationToken(
    { id, organizationId, verificationType: 'OTP_TYPE_EMAIL', contact: EMAIL, expiresAt: now + MINUTE_MS },
    by.tokenSigner,
  )
  const session = { id, organizationId, userId, expiresAt: now + MINUTE_MS }
  const claims = {
    expiresAt: now,
    publicKey: '',
    sessionType: 'SESSION_TYPE_READ_WRITE',
    userId,
    organizationId,
  } as const
  const target = present(readP256Key(service.newKey().publicKey), 'a key')
  const isAccepted = {
    token: await logsInWith(service, ada, token),
    'read-only session': await readsWith(service, ada, sealReadOnlySession(session, by.readSessionKey)),
    session: await someKey(service, 'session', async (key) =>
      verifySessionJwtSignature(signSessionJwt(claims, by.sessionSigner), key),
    ),
    bundle: await someKey(service, 'signer', async (key) => {
      await encryptPrivateKeyToBundle({
        privateKey: '11'.repeat(32),
        keyFormat: 'HEXADECIMAL',
        importBundle: importTargetBundle(target, { organizationId, userId }, by.bundleSigner),
        userId,
        organizationId,
        dangerouslyOverrideSignerPublicKey: key,
      })
      return true
    }),
  }
  return Object.entries(isAccepted).flatMap(([what, is]) => (is ? [what] : []))
}

async function logsInWith(service: TestService, ada: Member, verificationToken: string): Promise<boolean> {
  service.world.advance(1)
  const { publicKey } = service.newKey()
  const { status, text } = await service.submit(ada, 'ACTIVITY_TYPE_OTP_LOGIN', {
    verificationToken,
    publicKey,
  })
  if (status !== 200) assert.match(text, /invalid verification token: its signature does not verify/)
  return status === 200
}

async function readsWith(
  service: TestService,
  { organizationId }: Member,
  session: string,
): Promise<boolean> {
  const body = JSON.stringify({ organizationId })
  const { status, text } = await service.post('/public/v1/query/whoami', body, { 'X-Session': session })
  if (status !== 200) assert.match(text, /could not verify the session/)
  return status === 200
}

async function someKey(
  { vault }: TestService,
  purpose: 'session' | 'signer',
  verifies: (key: string) => Promise<boolean>,
): Promise<boolean> {
  const { versions } = await vault.serviceKeys()
  const keys = versions.filter((key) => key.purpose === purpose)
  const answers = await Promise.all(keys.map(({ publicKey }) => verifies(publicKey).catch(() => false)))
  return answers.includes(true)
}
