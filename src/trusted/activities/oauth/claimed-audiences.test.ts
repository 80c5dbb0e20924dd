import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { aServiceWithIssuer } from '../../../../test/support/service-with-issuer.ts'
import { API_KEY, NEEDED, OAUTH } from '../mfa/testing/setting.ts'
import { CREATE_SUB_ORGANIZATION, rootUser } from '../organizations/testing/sub-organization.ts'
import {
  aCustomer,
  aSessionKey,
  attestedBy,
  CREATE_PROVIDERS,
  logIn,
  ownApplications,
} from './testing/oauth.ts'

/** People log in at the application `web`; `phone` is somebody else's, who has a token of everybody that uses it. */
async function setting(t: TestContext) {
  const { service, issuer } = await aServiceWithIssuer(t)
  const { key, publicKey, nonce } = aSessionKey(service)
  return {
    service,
    issuer,
    publicKey,
    /** What the victim logs in with. */
    victims: await issuer.token({ subject: 'ada', nonce }),
    /**
     * An organization of the attacker's, who shows a token of the victim for `phone` and claims that they are known at
     * `web`.
     */
    anAttacker: async () =>
      await aCustomer(service, {
        oauthProviders: [
          { providerName: 'Phone', oidcToken: await issuer.token({ subject: 'ada', audience: 'phone' }) },
          { providerName: 'Web', oidcClaims: { iss: issuer.issuer, sub: 'ada', aud: 'web' } },
        ],
      }),
    found: async (token: string) => {
      const filter = { filterType: 'OIDC_TOKEN', filterValue: token }
      return (await service.query(service.root, 'list_suborgs', filter)).json.organizationIds
    },
    /** A login with the token as its stamp; it names only the parent unless told. */
    stampLogin: async (token: string, organizationId = service.organizationId) => {
      service.world.advance(1)
      const body = JSON.stringify({
        type: 'ACTIVITY_TYPE_STAMP_LOGIN',
        timestampMs: String(service.world.now()),
        organizationId,
        parameters: { publicKey },
      })
      return await service.post('/public/v1/submit/stamp_login', body, attestedBy(token, key, body))
    },
  }
}

test('the first login of somebody whose account was claimed by another finds nobody, and signs them up', async (t) => {
  const { service, victims, anAttacker, found, stampLogin, publicKey } = await setting(t)
  const attacker = await anAttacker()

  assert.deepEqual(await found(victims), [])
  assert.equal((await stampLogin(victims)).status, 401)
  const oauthProviders = [{ providerName: 'Web', oidcToken: victims }]
  const ada = await aCustomer(service, { oauthProviders })
  assert.deepEqual(await found(victims), [ada.organizationId])
  assert.notEqual(ada.organizationId, attacker.organizationId)
  assert.equal((await logIn(service, ada, { oidcToken: victims, publicKey })).status, 200)
})

test('claiming somebody’s account, before or after, keeps nobody from logging in by the parent’s id', async (t) => {
  const { service, victims, anAttacker, found, stampLogin } = await setting(t)
  await anAttacker()
  const ada = await aCustomer(service, { oauthProviders: [{ providerName: 'Web', oidcToken: victims }] })
  await anAttacker()

  assert.deepEqual(await found(victims), [ada.organizationId])
  const { status, json, text } = await stampLogin(victims)
  assert.equal(status, 200, text)
  assert.equal(json.activity.organizationId, ada.organizationId)
})

test('a login with a token of the audience that was claimed proves it', async (t) => {
  const { service, issuer, anAttacker, found, publicKey, victims } = await setting(t)
  const owner = await anAttacker()
  assert.equal((await logIn(service, owner, { oidcToken: victims, publicKey })).status, 200)
  assert.deepEqual(await found(victims), [owner.organizationId])
  const { json } = await service.query(owner, 'get_oauth_providers')
  assert.deepEqual(
    json.oauthProviders.map((oauthProvider: { audience: string }) => oauthProvider.audience),
    ['phone', 'web'],
  )
  assert.equal(json.oauthProviders[1].issuer, issuer.issuer)
})

test('a login that such a token stamps proves it too, as published clients log in', async (t) => {
  const { anAttacker, found, stampLogin, victims } = await setting(t)
  const owner = await anAttacker()
  assert.equal((await stampLogin(victims)).status, 401)
  assert.equal((await stampLogin(victims, owner.organizationId)).status, 200)
  assert.deepEqual(await found(victims), [owner.organizationId])
  assert.equal((await stampLogin(victims)).json.activity.organizationId, owner.organizationId)
})

test('so does one that a second proof completes', async (t) => {
  const { service, anAttacker, found, stampLogin, victims } = await setting(t)
  const owner = await anAttacker()
  const { organizationId, userId } = owner
  await service.done(owner, 'ACTIVITY_TYPE_CREATE_MFA_POLICY', {
    userId,
    mfaPolicyName: 'Logins',
    condition: "activity.kind == 'STAMP_LOGIN'",
    requiredAuthenticationMethods: [OAUTH, API_KEY].map((method) => ({ any: [method] })),
    order: 0,
  })
  const { status, fingerprint } = (await stampLogin(victims, organizationId)).json.activity
  assert.equal(status, NEEDED)
  assert.deepEqual(await found(victims), [])
  await service.done(owner, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  assert.deepEqual(await found(victims), [organizationId])
})

test('where the parent lists both applications, a token for the one proves the account at the other', async (t) => {
  const { service, issuer, anAttacker, found, victims } = await setting(t)
  await ownApplications(service, [issuer.issuer, 'web'])
  const oauthProviders = [
    { providerName: 'Phone', oidcToken: await issuer.token({ subject: 'ada', audience: 'phone' }) },
    { providerName: 'Web', oidcClaims: { iss: issuer.issuer, sub: 'ada', aud: 'web' } },
  ]
  const rootUsers = [rootUser('Ada', service.newKey(), { oauthProviders })]
  const parameters = { subOrganizationName: 'Ada', rootQuorumThreshold: 1, rootUsers }
  const foreign = await service.submit(service.root, CREATE_SUB_ORGANIZATION, parameters)
  assert.equal(foreign.status, 400, foreign.text)

  await ownApplications(service, [issuer.issuer, 'web'], [issuer.issuer, 'phone'])
  const ada = await anAttacker()
  assert.deepEqual(await found(victims), [ada.organizationId])
  const tablet = { providerName: 'Tablet', oidcClaims: { iss: issuer.issuer, sub: 'ada', aud: 'tablet' } }
  const more = { providerName: 'More', oidcToken: await issuer.token({ subject: 'ada-2' }) }
  const claims = { ...tablet, oidcClaims: { ...tablet.oidcClaims, sub: 'ada-2' } }
  const { status, json } = await service.submit(ada, CREATE_PROVIDERS, {
    userId: ada.userId,
    oauthProviders: [more, claims],
  })
  assert.equal(status, 400)
  assert.match(json.message, /audience is not listed/)
})
