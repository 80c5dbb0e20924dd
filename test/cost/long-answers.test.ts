import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assemble } from '../../src/host/emulator/assembly.ts'
import { answer } from '../../src/host/pipeline/answer.ts'
import { Commits } from '../../src/host/pipeline/commits.ts'
import { queries } from '../../src/host/queries/list.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import { activities } from '../../src/trusted/activities/list.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { costs } from '../../src/trusted/base/costs.ts'
import { Secret } from '../../src/trusted/base/secret.ts'
import { openKeyring } from '../../src/trusted/vault/keys/keyring.ts'
import { quietHost } from '../support/quiet.ts'
import { testWorld } from '../support/service.ts'
import { stampKeyFrom, stampWith } from '../support/stamper.ts'

const store = openSqlite({ path: ':memory:' })
after(() => store.close())

test('an answer is charged by its length', async () => {
  const world = testWorld(1)
  const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])
  const parts = {
    ...quietHost,
    world,
    store,
    keyring,
    activities,
    queries,
    onTrouble: (trouble: unknown) => assert.ifError(trouble),
  }
  const { vault, host } = assemble({ ...parts, targets: { allowPrivate: false } })
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', world.randomBytes)
  const founder = {
    userName: 'Root',
    apiKeyName: 'Key',
    curveType: 'API_KEY_CURVE_P256',
    publicKey: key.publicKey,
  }
  const established = await vault.establish({ ...founder, organizationName: 'x'.repeat(64) })
  await new Commits({ store, vault }).commit(established)
  const { organizationId } = established
  const query = present(
    queries.find(({ operation }) => operation === 'list_users'),
    'a query',
  )
  const body = JSON.stringify({ organizationId })
  const spent: number[] = []

  const reply = await answer(host, query, {
    body: Buffer.from(body),
    stamp: { xStamp: stampWith(key, Buffer.from(body)).stampHeaderValue },
    spend: (units) => spent.push(units),
  })

  assert.ok(reply.kind === 'ok')
  assert.equal(spent.at(-1), Math.ceil(reply.body.length * costs.answerCharacter))
})
