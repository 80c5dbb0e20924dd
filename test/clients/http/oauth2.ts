import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { decryptCredentialBundle, encryptOauth2ClientSecret, generateP256KeyPair } from '@turnkey/crypto'
import { assert as holds, present } from '../../../src/trusted/base/assert.ts'
import { exchangeOauth2Code, oauth2Endpoints } from '../../../src/host/outside/oauth2-exchange.ts'
import { openOutbound } from '../../../src/host/outside/outbound.ts'
import { aService } from '../../support/service.ts'
import type { Setting } from '../setting.ts'
import { endlessTimers } from '../../../src/host/outside/testing/timers.ts'

export function oauth2Flows({ root, keys, clientWith }: Setting): void {
  test('the secret of an app elsewhere is encrypted by the published library, kept, changed and forgotten', async () => {
    const { organizationId } = root
    const secret = await encryptOauth2ClientSecret('a secret', keys.oauth2)
    const app = { provider: 'OAUTH2_PROVIDER_X' as const, clientId: 'app', encryptedClientSecret: secret }
    const { activity } = await root.client.createOauth2Credential(
      root.activity('ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL', app),
    )
    const { oauth2CredentialId } = present(activity.result.createOauth2CredentialResult, 'the credential')
    const changed = {
      ...app,
      clientId: 'other app',
      encryptedClientSecret: await encryptOauth2ClientSecret('another', keys.oauth2),
    }
    await root.client.updateOauth2Credential(
      root.activity('ACTIVITY_TYPE_UPDATE_OAUTH2_CREDENTIAL', { oauth2CredentialId, ...changed }),
    )
    const { oauth2Credential } = await root.client.getOauth2Credential({ organizationId, oauth2CredentialId })
    assert.equal(oauth2Credential.clientId, 'other app')
    assert.equal(oauth2Credential.encryptedClientSecret, changed.encryptedClientSecret)
    const { oauth2Credentials } = await root.client.listOauth2Credentials({ organizationId })
    assert.deepEqual(oauth2Credentials, [oauth2Credential])
    await root.client.deleteOauth2Credential(
      root.activity('ACTIVITY_TYPE_DELETE_OAUTH2_CREDENTIAL', { oauth2CredentialId }),
    )
    assert.deepEqual((await root.client.listOauth2Credentials({ organizationId })).oauth2Credentials, [])
    // The library encrypts for the service that it was published for.
    await assert.rejects(
      root.client.createOauth2Credential(
        root.activity('ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL', {
          ...app,
          encryptedClientSecret: await encryptOauth2ClientSecret('a secret'),
        }),
      ),
      /^TurnkeyRequestError: Turnkey error 3: /,
    )
  })

  test('the code of a provider becomes an identity token, and its bearer token travels to the one who asked', async (t) => {
    const provider = await aProvider({ clientId: 'app', clientSecret: 'a secret', code: 'the code' })
    t.after(provider.close)
    const outbound = openOutbound({ allowPrivate: true, timers: endlessTimers })
    t.after(outbound.close)
    // A running service asks the providers at their own addresses; this one, in this process, asks the one above.
    const service = await aService({
      outside: async (question) => {
        holds(question.about === 'oauth2Identity', 'nothing else is asked')
        const asked = { ...question, provider: 'OAUTH2_PROVIDER_DISCORD' as const }
        const identity = await exchangeOauth2Code(outbound, asked, {
          ...oauth2Endpoints,
          OAUTH2_PROVIDER_DISCORD: {
            ...oauth2Endpoints.OAUTH2_PROVIDER_DISCORD,
            tokenUrl: `${provider.url}/token`,
            userUrl: `${provider.url}/me`,
          },
        })
        return { kind: 'answered', text: JSON.stringify(identity) }
      },
    })
    t.after(service.close)
    const { organizationId, key } = service.root
    const stamper = new ApiKeyStamper({
      apiPublicKey: key.publicKey,
      apiPrivateKey: Buffer.from(key.privateKey).toString('hex'),
    })
    const client = clientWith(stamper, service.baseUrl)
    const envelope = <T extends string, P>(type: T, parameters: P) => ({
      type,
      timestampMs: String(service.world.now()),
      organizationId,
      parameters,
    })
    const { oauth2 } = await service.vault.serviceKeys()
    const created = await client.createOauth2Credential(
      envelope('ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL', {
        provider: 'OAUTH2_PROVIDER_DISCORD',
        clientId: 'app',
        encryptedClientSecret: await encryptOauth2ClientSecret('a secret', oauth2),
      }),
    )
    const { oauth2CredentialId } = present(
      created.activity.result.createOauth2CredentialResult,
      'the credential',
    )
    const target = generateP256KeyPair()
    const { activity } = await client.oauth2Authenticate(
      envelope('ACTIVITY_TYPE_OAUTH2_AUTHENTICATE', {
        oauth2CredentialId,
        authCode: 'the code',
        redirectUri: 'https://example.com/callback',
        codeVerifier: 'verifier',
        nonce: 'aa'.repeat(32),
        bearerTokenTargetPublicKey: target.publicKeyUncompressed,
      }),
    )
    const { oidcToken } = present(activity.result.oauth2AuthenticateResult, 'the token')
    const claims = JSON.parse(Buffer.from(present(oidcToken.split('.')[1], 'claims'), 'base64url').toString())
    assert.deepEqual([claims.sub, claims.aud, claims.nonce], ['80351110224678912', 'app', 'aa'.repeat(32)])
    const opened = decryptCredentialBundle(claims.encrypted_bearer_token, target.privateKey)
    assert.equal(Buffer.from(opened, 'hex').toString(), 'the-bearer-token')
  })
}

/** The two addresses of an OAuth 2.0 provider that has one user, who has one code. */
async function aProvider(known: {
  readonly clientId: string
  readonly clientSecret: string
  readonly code: string
}) {
  const client = `Basic ${Buffer.from(`${known.clientId}:${encodeURIComponent(known.clientSecret)}`).toString('base64')}`
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { authorization } = request.headers
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      const answer = (status: number, body: object): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      }
      if (request.url === '/token' && authorization === client && form.get('code') === known.code)
        answer(200, { access_token: 'the-bearer-token', token_type: 'Bearer' })
      else if (request.url === '/me' && authorization === 'Bearer the-bearer-token')
        answer(200, { id: '80351110224678912' })
      else answer(400, { error: 'invalid_grant' })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
