import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { Secret } from '../../src/trusted/base/secret.ts'
import { type Keyring, openKeyring } from '../../src/trusted/vault/keys/keyring.ts'
import { openObject } from '../../src/trusted/vault/seals/seals.ts'
import { queries } from '../../src/host/queries/list.ts'
import { type Ground, openGrounds } from './ground.ts'

// The root key of every service in these tests.
const root = new Uint8Array(32).fill(7)
const keyring: Keyring = openKeyring([{ version: 1, secret: new Secret(root) }])

/** Queries that need nothing but the organization. */
const queriesOfAll = queries
  .filter(({ request }) => [request.schema['required']].flat().length === 1)
  .map(({ operation }) => operation)

const groundFor = await openGrounds()

for (const activity of activities) {
  test(`${activity.operation}: nothing secret is in what is written or answered`, async () => {
    const ground = await groundFor(activity)
    const texts = [await written(ground), ...(await answered(ground))]
    const secrets = [...secretsOf(ground), ...serviceSecrets()]
    for (const secret of secrets) {
      const spelled = spellings(secret).find((spelling) => texts.some((text) => text.includes(spelling)))
      assert.equal(spelled, undefined)
    }
  })
}

test('a secret that is answered in any spelling is seen', () => {
  const secret = root.slice()
  for (const spelling of spellings(secret)) {
    const text = JSON.stringify({ leaked: spelling })
    assert.ok(spellings(secret).some((item) => text.includes(item)))
  }
})

async function answered({ service, by, type, parameters }: Ground): Promise<readonly string[]> {
  const answers = [await service.submit(by, type, parameters)]
  assert.equal(answers[0]?.status, 200, answers[0]?.text)
  for (const operation of queriesOfAll) answers.push(await service.query(by, operation))
  return answers.map(({ text }) => text)
}

/** Everything that this request and all before it have put into the store. */
async function written(ground: Ground): Promise<string> {
  await ground.service.submit(ground.by, ground.type, ground.parameters)
  return JSON.stringify(ground.commits)
}

/** The secrets of everything that was ever stored, in the clear; some kinds of rows have none. */
function secretsOf({ commits }: Ground): readonly Uint8Array[] {
  return commits
    .flatMap(({ objects }) => objects.put)
    .map((row) => openObject(keyring, row).reveal())
    .filter(({ length }) => length > 0)
}

function serviceSecrets(): readonly Uint8Array[] {
  const purposes = ['signer', 'session', 'otp', 'webhook'] as const
  return [root, ...purposes.map((purpose) => keyring.serviceSecret(purpose))]
}

function spellings(secret: Uint8Array): readonly string[] {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  return [
    hex,
    hex.toUpperCase(),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    BigInt(`0x${hex}`).toString(),
    JSON.stringify([...bytes]).slice(1, -1),
    // The words of a wallet.
    ...(/^[ -~]+$/.test(bytes.toString('latin1')) ? [bytes.toString('latin1')] : []),
  ]
}
