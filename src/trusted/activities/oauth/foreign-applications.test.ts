import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aServiceWithIssuer } from '../../../../test/support/service-with-issuer.ts'
import type { Member, TestService } from '../../../../test/support/service.ts'
import {
  aCustomer,
  aSessionKey,
  assertBadToken,
  attestedBy,
  CREATE_PROVIDERS,
  GOOGLE,
  LOGIN,
  logIn,
  OAUTH,
  ownApplications,
  SET_FEATURE,
  userOf,
} from './testing/oauth.ts'
import { CREATE_SUB_ORGANIZATION, rootUser } from '../organizations/testing/sub-organization.ts'

const EMAIL = 'ada@example.com'
const NOT_LISTED = /audience is not listed in FEATURE_NAME_OIDC_AUDIENCES/

/** A customer who has proven their address to this service. */
async function aCustomerWithProvenEmail({
  service,
  googleToken,
}: Awaited<ReturnType<typeof aServiceWithIssuer>>): Promise<Member> {
  await ownApplications(service, [GOOGLE, 'web'])
  const oidcToken = await googleToken({ sub: '1', email: EMAIL, email_verified: true })
  return await aCustomer(service, { oauthProviders: [{ providerName: 'Google', oidcToken }] })
}

async function foundByVerifiedEmail(service: TestService): Promise<readonly string[]> {
  const filter = { filterType: 'EMAIL', filterValue: EMAIL }
  return (await service.query(service.root, 'list_verified_suborgs', filter)).json.organizationIds
}

test('a token that Google issued to a foreign application logs nobody in by their address, in either login', async (t) => {
  const setting = await aServiceWithIssuer(t)
  const { service, googleToken, questions } = setting
  const ada = await aCustomerWithProvenEmail(setting)
  const { publicKey, nonce } = aSessionKey(service)
  const claims = { sub: '2', email: EMAIL, email_verified: true, nonce }
  const asked = questions.length

  for (const foreign of [{ aud: 'evil' }, { aud: 'web', azp: 'evil' }, { aud: 'evil', azp: 'web' }]) {
    const oidcToken = await googleToken({ ...claims, ...foreign })
    for (const [type, key] of [
      [LOGIN, { publicKey }],
      [OAUTH, { targetPublicKey: publicKey }],
    ] as const)
      assertBadToken(
        await logIn(service, ada, { oidcToken, ...key }, type),
        /not listed in FEATURE_NAME_OIDC_AUD/,
      )
  }
  assert.equal(questions.length, asked, 'nobody is asked about a token that is not taken')
  assert.equal((await userOf(service, ada)).oauthProviders.length, 1)
  const own = await googleToken({ ...claims, azp: 'web' })
  assert.equal((await logIn(service, ada, { oidcToken: own, publicKey })).status, 200)
})

test('while the parent has listed no application, no address in a token is believed', async (t) => {
  const setting = await aServiceWithIssuer(t)
  const { service, googleToken, questions } = setting
  const ada = await aCustomerWithProvenEmail(setting)
  await service.done(service.root, 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_OIDC_AUDIENCES',
  })
  const { publicKey, nonce } = aSessionKey(service)
  const claims = { email: EMAIL, email_verified: true, nonce }
  const asked = questions.length

  const oidcToken = await googleToken({ sub: '2', ...claims })
  assert.equal((await logIn(service, ada, { oidcToken, publicKey })).status, 404)
  assert.equal(questions.length, asked)
  const foreign = {
    providerName: 'Google',
    oidcToken: await googleToken({ sub: '2', aud: 'evil', ...claims }),
  }
  const stranger = await aCustomer(service, { oauthProviders: [foreign] })
  const noOne = await userOf(service, stranger)
  assert.deepEqual([noOne.userEmail, noOne.emailVerified], [undefined, undefined])
  await aCustomer(service, { userEmail: EMAIL, oauthProviders: [foreign] })
  assert.deepEqual(await foundByVerifiedEmail(service), [ada.organizationId])
  // Whom it is about is proven all the same, by who has registered that very application's token.
  const again = await logIn(service, stranger, { oidcToken: foreign.oidcToken, publicKey })
  assert.equal(again.status, 200, again.text)
})

test('a list closes every place that takes an identity token, and what it names is taken there', async (t) => {
  const { service, issuer, googleToken } = await aServiceWithIssuer(t)
  const { key, publicKey, nonce } = aSessionKey(service)
  const ada = await aCustomer(service, {
    oauthProviders: [{ providerName: 'Mine', oidcToken: await issuer.token({ subject: 'ada' }) }],
  })
  const before = await issuer.token({ subject: 'ada', nonce })
  await ownApplications(service, [issuer.issuer, 'phone'], [GOOGLE, 'web'])
  const entry = (oidcToken: string) => ({ providerName: 'Other', oidcToken })
  const foreign = [
    await issuer.token({ subject: 'bob', audience: 'web' }),
    await googleToken({ sub: 'bob', aud: 'phone' }),
    await googleToken({ sub: 'bob', azp: 'phone' }),
  ]
  const own = await issuer.token({ subject: 'bob', audience: 'phone' })
  const places = (oauthProviders: readonly object[]) =>
    [
      [ada, CREATE_PROVIDERS, { userId: ada.userId, oauthProviders }],
      [
        ada,
        'ACTIVITY_TYPE_CREATE_USERS_V4',
        {
          users: [
            {
              userName: `User ${service.world.now()}`,
              apiKeys: [],
              authenticators: [],
              oauthProviders,
              userTags: [],
            },
          ],
        },
      ],
      [
        service.root,
        CREATE_SUB_ORGANIZATION,
        {
          subOrganizationName: 'Other',
          rootQuorumThreshold: 1,
          rootUsers: [rootUser('Bob', service.newKey(), { oauthProviders })],
        },
      ],
    ] as const

  for (const token of foreign) {
    for (const [by, type, parameters] of places([entry(token)])) {
      const { status, json, text } = await service.submit(by, type, parameters)
      assert.equal(status, 400, text)
      assert.match(json.message, /not listed in FEATURE_NAME_OIDC_AUDIENCES/)
    }
  }
  // What was registered before is no way in while its application is not listed.
  assertBadToken(await logIn(service, ada, { oidcToken: before, publicKey }), NOT_LISTED)
  const login = JSON.stringify({
    type: 'ACTIVITY_TYPE_STAMP_LOGIN',
    timestampMs: String(service.world.now()),
    organizationId: ada.organizationId,
    parameters: { publicKey },
  })
  const stamped = await service.post('/public/v1/submit/stamp_login', login, attestedBy(before, key, login))
  assert.equal(stamped.status, 400, stamped.text)
  assert.match(stamped.json.message, NOT_LISTED)
  for (const [by, type, parameters] of places([entry(own)]).slice(0, 1)) {
    const { status, text } = await service.submit(by, type, parameters)
    assert.equal(status, 200, text)
  }
})

test('the list is the parent’s alone, and has to be one', async (t) => {
  const { service } = await aServiceWithIssuer(t)
  const ada = await aCustomer(service)
  const name = 'FEATURE_NAME_OIDC_AUDIENCES'
  const bySub = await service.submit(ada, SET_FEATURE, { name, value: `${GOOGLE} evil` })
  assert.equal(bySub.status, 400, bySub.text)
  assert.match(bySub.json.message, /is a sub-organization: the applications .* are listed by its parent/)
  for (const value of ['', 'web', `${GOOGLE} `, `${GOOGLE} a b`, `${GOOGLE} a,`, 'accounts.google.com web']) {
    const { status, json, text } = await service.submit(service.root, SET_FEATURE, { name, value })
    assert.equal(status, 400, text)
    assert.match(
      json.message,
      /^invalid value of feature FEATURE_NAME_OIDC_AUDIENCES: it takes an issuer and/,
    )
  }
})
