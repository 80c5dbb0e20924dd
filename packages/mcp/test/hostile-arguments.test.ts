import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { payment } from './payments.ts'
import { toldBy } from './served.ts'
import { aSetting } from './setting.ts'

const setting = await aSetting()
after(() => setting.close())
const { client, service, ethereum } = setting
const { tools } = await client.listTools()

const id = '0198c5a0-7d3c-7000-8000-000000000001'
const signs = { signWith: ethereum }
/** Arguments that each tool takes, from which hostile ones are made. */
const GOOD: Readonly<Record<string, Record<string, unknown>>> = {
  who_am_i: {},
  addresses: { walletId: setting.walletId, after: id },
  try_signing: { request: { kind: 'message', chain: 'ethereum', ...signs, message: 'm' } },
  sign_transaction: {
    ...signs,
    chain: 'ethereum',
    unsignedTransaction: payment({ value: 1n, to: setting.friends[0] }),
  },
  sign_message: { ...signs, chain: 'ethereum', message: 'm' },
  sign_typed_data: { ...signs, typedData: '{}' },
  sign_payload: {
    ...signs,
    payload: 'm',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  },
  wait_for_approval: { activityId: id, timeoutSeconds: 0 },
  my_activities: { status: 'any', limit: 3, after: id },
  my_secrets: { after: id },
}

const HOSTILE: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  {},
  [],
  [['x']],
  '',
  ' ',
  'x'.repeat(300_000),
  '../../../etc/passwd',
  '/public/v1/submit/create_policy',
  '%00',
  '\u0000',
  '\ud800',
  '\u202eabc',
  "' || true || '",
  '{"$ref":"#"}',
  '__proto__',
  'constructor',
  'toString',
  { __proto__: null, toString: 1 },
  JSON.parse('{"__proto__":{"signWith":"x"},"constructor":{"prototype":{}}}'),
]

async function called(name: string, asked: unknown): Promise<string> {
  try {
    // The client checks no arguments, which is why this may be anything.
    return JSON.stringify(
      toldBy(await client.callTool({ name, arguments: asked as Record<string, unknown> })),
    )
  } catch (error) {
    return String(error)
  }
}

async function countOfActivities(): Promise<number> {
  const { json } = await service.query(service.root, 'list_activities', {
    filterByStatus: ['ACTIVITY_STATUS_COMPLETED'],
    paginationOptions: { limit: '100' },
  })
  return json.activities.length
}

test('every tool is here, and none but these', () => {
  assert.deepEqual(tools.map(({ name }) => name).toSorted(), Object.keys(GOOD).toSorted())
})

test('no tool is named for what an agent must not do, and each says what it takes', () => {
  for (const { name, inputSchema, annotations } of tools) {
    assert.doesNotMatch(name, /create|delete|update|policy|policies|approve_|export|import|user|secret_text/)
    assert.equal(inputSchema.type, 'object')
    assert.equal(inputSchema['additionalProperties'], false, name)
    assert.equal(annotations?.readOnlyHint, !name.startsWith('sign_'))
  }
})

for (const [name, good] of Object.entries(GOOD))
  test(`${name} answers hostile arguments with an error, shows nothing of itself, and signs nothing`, async () => {
    const before = await countOfActivities()
    const asked: unknown[] = [
      ...HOSTILE.slice(0, 5),
      { ...good, further: 1 },
      { ...good, baseUrl: 'http://127.0.0.1:1' },
    ]
    for (const field of Object.keys(good))
      for (const hostile of HOSTILE) asked.push({ ...good, [field]: hostile })
    // What is optional may be left out, and a text may be the right one.
    const isMeant = (text: string) => text.includes('"isError":false')
    for (const one of asked) {
      const answer = await called(name, one)
      assert.doesNotMatch(
        answer,
        /node_modules|\.ts:\d|API_PRIVATE_KEY|TypeError|an error of its own/,
        answer,
      )
      if (isMeant(answer)) assert.match(name, /who_am_i|addresses|my_|sign_message|sign_payload/, answer)
    }
    const signed = (await countOfActivities()) - before
    assert.ok(signed <= (name === 'sign_message' || name === 'sign_payload' ? 5 : 0), `${signed} signed`)
  })

test('random arguments are refused or answered, and never break the server', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(GOOD)),
      fc.object({ maxDepth: 2 }),
      async (name, asked) => {
        const answer = await called(name, asked)
        assert.doesNotMatch(answer, /node_modules|\.ts:\d|an error of its own/, answer)
      },
    ),
    { numRuns: 60 },
  )
  assert.match(await called('who_am_i', {}), /"isError":false/)
})

test('no id leads to another path of the service', async () => {
  for (const activityId of ['../../submit/create_policy', `${id}/../x`, `${id}?x=1`, `${id}\n`]) {
    const answer = await called('wait_for_approval', { activityId, timeoutSeconds: 0 })
    assert.match(answer, /Invalid|guid/i, answer)
  }
})
