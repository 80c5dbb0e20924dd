import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TurnkeyClient } from '@turnkey/http'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { verifyTurnkeyWebhookSignature } from '@turnkey/crypto'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import {
  devEnvOf,
  eventsIn,
  projectFolder,
  runCommand,
  runService,
  type Settings,
  start,
  temporaryFolder,
} from '../support/running-service.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'

const FEATURE = 'FEATURE_NAME_WEBHOOK'

/** A receiver in a process of its own, that can be killed and begun again on its port. */
async function aReceiver() {
  const file = join(temporaryFolder(), 'received')
  const run = async (port: number) => {
    const started = start(
      ['test/commands/webhook-receiver.ts', String(port), file],
      {},
      { cwd: projectFolder },
    )
    await eventually(() => started.output().includes('listening'))
    return started
  }
  // Not one that the system may give to somebody else while the receiver is down.
  const port = await freePort()
  let started = await run(port)
  return {
    url: `http://127.0.0.1:${port}/hook`,
    kill: async () => {
      started.killGroup()
      await started.ended
    },
    restart: async () => {
      started = await run(port)
    },
    // What follows the last newline is nothing yet, or a line that the receiver is writing at this moment.
    received: () =>
      existsSync(file)
        ? readFileSync(file, 'utf8')
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line) as { headers: Record<string, string>; body: string })
        : [],
  }
}

function clientOf(dataFolder: string) {
  const env = devEnvOf(dataFolder)
  const stamper = new ApiKeyStamper({
    apiPublicKey: env.API_PUBLIC_KEY,
    apiPrivateKey: env.API_PRIVATE_KEY,
  })
  const client = new TurnkeyClient({ baseUrl: env.BASE_URL }, stamper)
  const organizationId = env.ORGANIZATION_ID
  let last = 0
  const timestampMs = () => String((last = Math.max(last + 1, Date.now())))
  return {
    organizationId,
    rootUserId: env.ROOT_USER_ID,
    client,
    timestampMs,
    listen: async (value: string) => {
      await client.setOrganizationFeature({
        type: 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE',
        organizationId,
        timestampMs: timestampMs(),
        parameters: { name: FEATURE, value },
      })
    },
    act: async (userTagName: string): Promise<string> => {
      const { activity } = await client.createUserTag({
        type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
        organizationId,
        timestampMs: timestampMs(),
        parameters: { userTagName, userIds: [] },
      })
      return `${activity.id}-1`
    },
  }
}

/** The same on either store, each time on empty data. */
function onEitherStore(promise: string, body: (settings: Settings) => Promise<void>): void {
  test(`on the embedded store, ${promise}`, async () => await body({}))
  const skip = postgresAvailable() ? false : postgresMissing
  test(`on PostgreSQL, ${promise}`, { skip }, async () => {
    await body({ CLAVIGER_DATABASE_URL: await freshDatabase() })
  })
}

onEitherStore(
  'a receiver that verifies with the published keys misses nothing, though it and the service are killed and begun again',
  async (store) => {
    const receiver = await aReceiver()
    let service = await runService('dev', store)
    const [listening] = eventsIn(service.output(), 'listening')
    assert.equal(listening?.['store'] === 'postgres', 'CLAVIGER_DATABASE_URL' in store)
    const { dataFolder } = service
    try {
      const { listen, act } = clientOf(dataFolder)
      await listen(receiver.url)
      const events = [await act('one'), await act('two')]
      await eventually(() => receiver.received().length === 3)

      await receiver.kill()
      events.push(await act('three'), await act('four'))
      const text = await (await fetch(`${service.url}/metrics`)).text()
      assert.match(text, /claviger_deliveries_waiting\{kind="webhook"\} 2/)
      assert.equal(await service.stop(), 0)
      service = await runService('dev', { dataFolder, ...store })
      events.push(await clientOf(dataFolder).act('five'))
      await receiver.restart()
      await eventually(() => receiver.received().length >= 6)

      const received = receiver.received()
      const ids = [...new Set(received.map(({ headers }) => headers['x-turnkey-event-id']))]
      assert.deepEqual(ids.slice(1), events)
      const jwks = await fetch(`${service.url}/public/v1/discovery/webhooks/jwks`)
      const caching = 'public, max-age=86400, s-maxage=86400, stale-if-error=604800'
      assert.equal(jwks.headers.get('cache-control'), caching)
      const { keys } = (await jwks.json()) as { keys: readonly { kid: string; x: string }[] }
      const verificationKeys = keys.map(({ kid, x }) => ({
        keyId: kid,
        publicKey: Buffer.from(x, 'base64url').toString('hex'),
      }))
      for (const { headers, body } of received) {
        const maxTimestampAgeMs = 5 * 60_000
        const result = verifyTurnkeyWebhookSignature({ headers, body, verificationKeys, maxTimestampAgeMs })
        assert.ok(result.ok, JSON.stringify(result))
      }
    } finally {
      await receiver.kill()
      await service.kill()
    }
  },
)

onEitherStore(
  'what was given up is listed and delivered again by the command line, whether the service runs or not',
  async (store) => {
    const receiver = await aReceiver()
    const service = await runService('dev', store)
    const { dataFolder } = service
    const settings = { CLAVIGER_DATA: dataFolder, ...store }
    try {
      const { listen, act, organizationId } = clientOf(dataFolder)
      // A path that answers 404: the service itself.
      await listen(`${service.url}/nothing`)
      const from = new Date(Date.now() - 1).toISOString()
      const event = await act('one')
      await eventually(async () => (await runCommand(['webhooks', 'dead'], settings)).output.includes(event))

      const dead = await runCommand(['webhooks', 'dead'], settings)
      assert.match(dead.output, /webhook {2}event .* attempts 1: the endpoint answered 404/)
      const backlog = await runCommand(['webhooks', 'backlog'], settings)
      assert.match(backlog.output, /webhook: 0 waiting; 2 dead/)
      const told = async (...args: readonly string[]) => {
        const { code, output } = await runCommand(['webhooks', ...args, '--json'], settings)
        return { code, json: JSON.parse(output) }
      }
      const { backlog: counts } = (await told('backlog')).json
      assert.equal(counts.find(({ kind }: { readonly kind: string }) => kind === 'webhook').dead, 2)
      await listen(receiver.url)
      await eventually(() => receiver.received().length === 1)
      const { dead: letters } = (await told('dead')).json
      const letter = letters.find(({ eventId }: { readonly eventId: string }) => eventId === event)
      assert.ok(dead.output.includes(`${letter.number}  `))
      assert.deepEqual(await told('redeliver', String(letter.number)), { code: 0, json: { due: 1 } })
      const refused = { refused: 'no dead letter has such a number' }
      assert.deepEqual(await told('redeliver', '999999'), { code: 1, json: refused })
      await eventually(() => receiver.received().length === 2)
      assert.equal(receiver.received()[1]?.headers['x-turnkey-event-id'], event)

      assert.equal(await service.stop(), 0)
      const to = new Date(Date.now() + 1).toISOString()
      const range = ['--organization', organizationId, '--endpoint', FEATURE, '--from', from, '--to', to]
      const again = await runCommand(['webhooks', 'redeliver', ...range], settings)
      assert.match(again.output, /^2 due again$/m)
      const rest = await runCommand(['webhooks', 'redeliver', '--all-dead'], settings)
      assert.match(rest.output, /^1 due again$/m)
      const second = await runService('dev', { dataFolder, ...store })
      try {
        await eventually(() => receiver.received().length === 5)
      } finally {
        await second.kill()
      }
    } finally {
      await receiver.kill()
      await service.kill()
    }
  },
)

test('the desk of the operator is not there for anybody without its key', async () => {
  const service = await runService('dev')
  try {
    for (const headers of [{}, { 'x-claviger-operator': 'guess' }]) {
      const body = JSON.stringify({ do: 'dead', after: 0 })
      const answer = await fetch(`${service.url}/operator/deliveries`, { method: 'POST', headers, body })
      const nothing = await fetch(`${service.url}/operator/nothing`, { method: 'POST', body })
      assert.equal(answer.status, 404)
      const withoutPath = (text: string) => text.replace(/operator\/\w+/, '')
      assert.equal(withoutPath(await answer.text()), withoutPath(await nothing.text()))
    }
    for (const method of ['GET', 'PUT', 'DELETE'])
      assert.equal((await fetch(`${service.url}/operator/deliveries`, { method })).status, 404, method)
    for (const args of [['webhooks'], ['webhooks', 'redeliver'], ['webhooks', 'redeliver', 'x']])
      assert.equal((await runCommand(args, { CLAVIGER_DATA: service.dataFolder })).code, 2)
  } finally {
    await service.kill()
  }
})

test('the inbox of development shows a mail, and to no page of another site', async () => {
  const service = await runService('dev')
  try {
    const { client, organizationId, rootUserId, timestampMs } = clientOf(service.dataFolder)
    await client.createInvitations({
      type: 'ACTIVITY_TYPE_CREATE_INVITATIONS',
      organizationId,
      timestampMs: timestampMs(),
      parameters: {
        invitations: [
          {
            receiverUserName: 'Grace',
            receiverUserEmail: 'grace@example.test',
            receiverUserTags: [],
            accessType: 'ACCESS_TYPE_ALL',
            senderUserId: rootUserId,
          },
        ],
      },
    })
    const inbox = async () => await (await fetch(`${service.url}/dev/inbox.json`)).text()
    await eventually(async () => (await inbox()).includes('grace@example.test'))

    const page = await fetch(`${service.url}/dev/inbox`)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(await page.text(), /grace@example\.test/)
    const elsewhere = await fetch(`${service.url}/dev/inbox`, { headers: { 'sec-fetch-site': 'cross-site' } })
    assert.equal(elsewhere.status, 403)
  } finally {
    await service.kill()
  }
})
