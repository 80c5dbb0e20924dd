import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { peekOidcToken } from '../../src/trusted/crypto/oidc-token.ts'
import { peekVerificationToken } from '../../src/trusted/crypto/verification-token.ts'
import { eventIdOf } from '../../src/trusted/vault/records/record-at.ts'
import { signedWebhook } from '../../src/trusted/vault/records/webhooks.ts'
import { Secret } from '../../src/trusted/base/secret.ts'
import { openKeyring } from '../../src/trusted/vault/keys/keyring.ts'
import { type Ground, openGrounds } from './ground.ts'

// The root key of every service in these tests.
const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])

const groundFor = await openGrounds()

for (const activity of activities) {
  test(`${activity.operation}: no bearer text is kept, listed, told or answered again`, async () => {
    const ground = await groundFor(activity)
    const { service, by, type, parameters } = ground
    const first = await service.submit(by, type, parameters)
    assert.equal(first.status, 200, first.text)

    const again = await service.submit(by, type, parameters)
    const listed = await service.query(by, 'list_activities')
    const texts = [...kept(ground), ...told(ground), listed.text, again.text]

    for (const text of texts.flatMap(tokensIn)) assert.ok(!(await serves(ground, text)), text)
  })
}

test('a token that serves is seen', async () => {
  const opens = activities.find(({ operation }) => operation === 'create_read_only_session')
  assert.ok(opens)
  const ground = await groundFor(opens)
  const { text } = await ground.service.submit(ground.by, ground.type, ground.parameters)
  const served = await Promise.all(tokensIn(text).map((token) => serves(ground, token)))
  assert.ok(served.includes(true))
})

/** What the store has of results; requests are kept as they were sent, for their stamps. */
function kept({ commits }: Ground): readonly string[] {
  return commits.flatMap(({ activity }) => [activity?.row.result ?? '', activity?.row.failure ?? ''])
}

function told({ commits }: Ground): readonly string[] {
  return commits.flatMap(({ activity }) => {
    if (activity === undefined) return []
    const { row } = activity
    const { revision } = row
    return [signedWebhook(keyring, { row, revision, eventId: eventIdOf(row), timestampMs: 1 }).body]
  })
}

function tokensIn(text: string): readonly string[] {
  return text.match(/[\w-]{8,}\.[\w-]{8,}(\.[\w-]{8,})?/g) ?? []
}

/** A session that may ask; a verification token that wants no key beside it; an identity token of this service. */
async function serves({ service, by }: Ground, text: string): Promise<boolean> {
  const body = JSON.stringify({ organizationId: by.organizationId })
  const asked = await service.post('/public/v1/query/whoami', body, { 'x-session': text })
  if (asked.status === 200) return true
  const contact = peekVerificationToken(text)
  if (contact !== undefined) return contact.publicKey === undefined
  return peekOidcToken(text)?.issuer.startsWith('urn:claviger:') === true
}
