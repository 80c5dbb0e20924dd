import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyTurnkeyWebhookSignature } from '@turnkey/crypto'
import { present } from '../../../src/trusted/base/assert.ts'
import { aReceiver, type Received } from '../receiver.ts'
import type { Person, Setting } from '../setting.ts'

export function webhookFlows({ service, subOrganization }: Setting): void {
  test('an endpoint hears what happens, signed as the published library verifies it, while it is switched on', async (t) => {
    const receiver = await aReceiver()
    t.after(receiver.close)
    const owner = present((await subOrganization('Heard of', ['Owner']))[0], 'the root user')
    const { client, activity, organizationId } = owner
    const created = await client.createWebhookEndpoint(
      activity('ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', {
        url: receiver.url,
        name: 'Ledger',
        subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
      }),
    )
    const { endpointId, webhookEndpoint } = present(
      created.activity.result.createWebhookEndpointResult,
      'the endpoint',
    )
    assert.equal(webhookEndpoint.url, receiver.url)
    const told = async (): Promise<string> => {
      const received = await receiver.next()
      await assertSigned(received)
      assert.equal(received.headers['x-turnkey-organization-id'], organizationId)
      assert.equal(received.headers['x-turnkey-event-type'], 'ACTIVITY_UPDATES')
      return JSON.parse(received.body.toString()).intent.createUserTagIntent?.userTagName
    }
    // Whether an endpoint hears of what made it is left open.
    await tag(owner, 'first')
    let name = await told()
    if (name !== 'first') name = await told()
    assert.equal(name, 'first')

    await client.updateWebhookEndpoint(
      activity('ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT', { endpointId, isActive: false }),
    )
    await tag(owner, 'while it is off')
    await client.updateWebhookEndpoint(
      activity('ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT', { endpointId, name: 'Books', isActive: true }),
    )
    await tag(owner, 'last')
    const names: string[] = []
    while (names.at(-1) !== 'last') names.push(await told())
    assert.equal(names.includes('while it is off'), false)
    const { webhookEndpoints } = await client.listWebhookEndpoints({ organizationId })
    assert.deepEqual(
      webhookEndpoints.map((webhookEndpoint) => [
        webhookEndpoint.endpointId,
        webhookEndpoint.name,
        webhookEndpoint.isActive,
      ]),
      [[endpointId, 'Books', true]],
    )
    await client.deleteWebhookEndpoint(activity('ACTIVITY_TYPE_DELETE_WEBHOOK_ENDPOINT', { endpointId }))
    assert.deepEqual((await client.listWebhookEndpoints({ organizationId })).webhookEndpoints, [])
  })

  test('the older kind, a feature with a URL, hears of every activity and is signed alike', async (t) => {
    const receiver = await aReceiver()
    t.after(receiver.close)
    const owner = present((await subOrganization('Older webhook', ['Owner']))[0], 'the root user')
    const { client, activity } = owner
    await client.setOrganizationFeature(
      activity('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
        name: 'FEATURE_NAME_WEBHOOK',
        value: receiver.url,
      }),
    )
    await tag(owner, 'told')
    let received = await receiver.next()
    if (!received.body.toString().includes('"told"')) received = await receiver.next()
    await assertSigned(received)
    assert.equal(JSON.parse(received.body.toString()).status, 'ACTIVITY_STATUS_COMPLETED')
    await client.removeOrganizationFeature(
      activity('ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', { name: 'FEATURE_NAME_WEBHOOK' }),
    )
  })

  async function tag({ client, activity }: Person, userTagName: string): Promise<void> {
    await client.createUserTag(activity('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] }))
  }

  /** As a receiver does it, with the keys that are published for it. */
  async function assertSigned({ headers, body }: Received): Promise<void> {
    const published = await fetch(`${service.url}/public/v1/discovery/webhooks/jwks`)
    // The tests of the address hold it to this shape.
    const { keys } = (await published.json()) as { keys: { kid: string; x: string }[] }
    const verificationKeys = keys.map(({ kid, x }) => ({
      keyId: kid,
      publicKey: Buffer.from(x, 'base64url').toString('hex'),
    }))
    const given = { headers, verificationKeys, maxTimestampAgeMs: 300_000 }
    const verified = verifyTurnkeyWebhookSignature({ ...given, body })
    assert.equal(verified.ok, true, JSON.stringify(verified))
    const other = verifyTurnkeyWebhookSignature({ ...given, body: Buffer.concat([body, Buffer.from(' ')]) })
    assert.equal(other.ok, false)
  }
}
