import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { present } from '../../src/trusted/base/assert.ts'
import { callerFrom } from '../../src/host/cli/caller.ts'
import { signedQuery } from '../../src/host/cli/signed-query.ts'
import {
  devEnvOf,
  type RunningService,
  runCommand,
  runService,
  temporaryFolder,
} from '../support/running-service.ts'
import { stampKeyFrom } from '../support/stamper.ts'
import { submit } from './founder.ts'

const SIGN = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
const folder = temporaryFolder()

let running: RunningService | undefined
let ground: Awaited<ReturnType<typeof aGround>>
before(async () => {
  running = await runService('dev')
  ground = await aGround(running)
})
after(async () => await running?.kill())

/** A user who may sign with one key, twice in an hour, and did so twice; the third time was refused. */
async function aGround({ url, dataFolder }: RunningService) {
  const file = join(dataFolder, 'dev.env')
  const { ORGANIZATION_ID: organizationId, ROOT_USER_ID: rootUserId, API_PRIVATE_KEY } = devEnvOf(dataFolder)
  const drawn = (bytes: () => Uint8Array) => stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', bytes)
  const root = { organizationId, key: drawn(() => Buffer.from(API_PRIVATE_KEY, 'hex')) }
  const ada = { organizationId, key: drawn(() => randomBytes(32)) }
  const result = async (operation: string, type: string, parameters: object) =>
    Object.values((await submit(url, root, operation, type, parameters)).activity.result)[0] as {
      readonly userIds: readonly string[]
      readonly privateKeys: readonly { readonly privateKeyId: string }[]
      readonly policyId: string
    }
  const { userIds } = await result('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V3', {
    users: [
      {
        userName: 'Ada',
        apiKeys: [{ apiKeyName: 'Key', publicKey: ada.key.publicKey, curveType: 'API_KEY_CURVE_P256' }],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      },
    ],
  })
  const { privateKeys } = await result('create_private_keys', 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      { privateKeyName: 'Hot', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] },
    ],
  })
  const keyId = present(privateKeys[0], 'the new key').privateKeyId
  const policy = {
    policyName: 'Ada signs',
    effect: 'EFFECT_ALLOW',
    condition: `private_key.id == '${keyId}' && usage.count('1h', usage.user) <= 2`,
    notes: '',
  }
  const { policyId } = await result('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy)
  const request = (payload: string) => ({
    signWith: keyId,
    payload,
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  })
  const sign = async (payload: string): Promise<string> =>
    (await submit(url, ada, 'sign_raw_payload', SIGN, request(payload))).activity.id
  const signed = [await sign('one'), await sign('two')]
  await assert.rejects(() => sign('three'), /403/)
  const userId = present(userIds[0], 'the new user')
  return { url, ada, file, organizationId, rootUserId, userId, keyId, policy, policyId, request, signed }
}

let written = 0
function fileWith(content: unknown): string {
  const path = join(folder, `${written++}.json`)
  writeFileSync(path, JSON.stringify(content))
  return path
}

async function policies(...args: readonly string[]): Promise<string> {
  const { code, output } = await runCommand(['policies', ...args, '--as', ground.file])
  assert.equal(code, 0, output)
  return output
}

test('a request is tried for another user, with what was really used, and by a draft', async () => {
  const { userId, rootUserId, policy, policyId, request } = ground
  const file = fileWith({ type: SIGN, parameters: request('four') })
  const denied = await policies('try', file, '--user', userId)
  assert.match(denied, /^refused: no policy allows it$/m)
  assert.match(denied, new RegExp(`^ {2}OUTCOME_DENY_IMPLICIT {2}Ada signs \\(${policyId}\\)$`, 'm'))
  const approved = await policies('try', file, '--user', userId, '--approver', rootUserId)
  assert.match(approved, /^allowed: by the root quorum, without a policy$/m)
  const condition = policy.condition.replace('<= 2', '<= 3')
  const draft = fileWith([{ policyId, policyName: 'Ada signs', effect: 'EFFECT_ALLOW', condition }])
  const drafted = await policies('try', file, '--user', userId, '--draft', draft)
  assert.match(drafted, /By the policies that there are:\nrefused: [^]*By the draft:\nallowed\n/)
  const alone = await runCommand(['policies', 'try', file, '--instead', '--as', ground.file])
  assert.equal(alone.code, 2, alone.output)
  assert.match(alone.output, /--instead goes with --draft/)
  const json = JSON.parse(await policies('try', file, '--user', userId, '--draft', draft, '--json'))
  assert.deepEqual([json.judgement.decision, json.drafted.decision], ['deny', 'allow'])
  const explained = await policies('try', file, '--user', userId, '--explain')
  assert.match(explained, /^ {6}usage\.count\('1h', usage\.user\) <= 2 +false$/m)
})

test('a refusal is explained as a tree with every value beside its expression, in one column', async () => {
  const { userId, organizationId, keyId, policyId } = ground
  const refused = await lastActivity(organizationId)
  const text = await policies('explain', refused)
  const lines = text.split('\n')
  assert.equal(lines[0], 'refused: no policy allows it')
  assert.ok(lines.includes(`OUTCOME_DENY_IMPLICIT  EFFECT_ALLOW  Ada signs (${policyId})`), text)
  assert.ok(lines.includes('  condition: false'), text)
  const row = (expression: string, value: string) =>
    present(
      lines.find((line) => line.trimStart().startsWith(`${expression}  `) && line.endsWith(`  ${value}`)),
      `a line that gives ${expression} the value ${value} in:\n${text}`,
    )
  const rows = [
    row("usage.count('1h', usage.user) <= 2", 'false'),
    row("usage.count('1h', usage.user)", '3'),
    row('usage.user', `'${userId}'`),
    row('private_key.id', `'${keyId}'`),
  ]
  assert.equal(new Set(rows.map((line) => line.search(/ {2}\S+$/) + 2)).size, 1, text)
})

test('a draft is replayed page after page, and what it would decide otherwise is told', async () => {
  const { signed, policy, policyId } = ground
  const condition = policy.condition.replace('<= 2', '<= 1')
  const draft = fileWith({ policies: [{ policyId, policyName: 'Once', effect: 'EFFECT_ALLOW', condition }] })
  const text = await policies('replay', draft)
  assert.match(
    text,
    new RegExp(`^${signed[1]} .*\\n {2}now: {4}allowed\\n {2}draft: {2}refused: no policy`, 'm'),
  )
  assert.ok(!text.includes(String(signed[0])), text)
  assert.match(text, /the draft would refuse 1, allow 0 and let 0 wait/)
  const few = JSON.parse(await policies('replay', draft, '--limit', '1', '--json'))
  assert.deepEqual([few.replayed, few.differences], [1, []])
  const all = JSON.parse(await policies('replay', draft, '--all', '--json'))
  assert.ok(all.replayed >= 6)
  const both = await runCommand(['policies', 'replay', draft, '--limit', '1', '--all', '--as', ground.file])
  assert.equal(both.code, 2, both.output)
  assert.match(both.output, /--limit bounds what --all replays without a bound: leave one of the two out/)
  const instead = await policies('replay', fileWith([]), '--instead')
  for (const id of signed) assert.match(instead, new RegExp(`^${id} `, 'm'))
})

test('a replay that is too much work for one request goes on in smaller pages', async () => {
  const { ada, url, request, policyId, keyId } = ground
  const { payload: _, ...how } = request('')
  const payloads = Array.from({ length: 1_000 }, (_, at) => String(at))
  const REFUSED = 20
  for (let at = 0; at < REFUSED; at++) {
    const parameters = { ...how, payloads: [`${at}`, ...payloads.slice(1)] }
    const refused = submit(url, ada, 'sign_raw_payloads', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', parameters)
    await assert.rejects(() => refused, /403/)
  }
  const condition = `private_key.id == '${keyId}' ${'&& true '.repeat(2_000)}`
  const draft = fileWith({ policies: [{ policyId, policyName: 'Long', effect: 'EFFECT_ALLOW', condition }] })
  const output = await policies('replay', draft, '--json')
  // On a slow machine, lines of progress stand before the answer.
  const { replayed, differences } = JSON.parse(output.slice(output.indexOf('{')))
  assert.ok(replayed > REFUSED)
  // The refused one of before is among them.
  assert.equal(differences.length, REFUSED + 1)
})

test('the key may be in the environment, and what is wrong with it is told in a sentence', async () => {
  const file = fileWith({ type: SIGN, parameters: ground.request('five') })
  const names = Object.fromEntries(
    readFileSync(ground.file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('=') as [string, string]),
  )
  const run = async (settings: Record<string, string>) =>
    await runCommand(['policies', 'try', file], settings)
  assert.match((await run(names)).output, /^allowed: by the root quorum/)
  const told = async (settings: Record<string, string>, wanted: RegExp, ends = 1) => {
    const { code, output } = await run({ ...names, ...settings })
    assert.equal(code, ends)
    assert.match(output, wanted)
    assert.doesNotMatch(output, /\n {4}at /)
  }
  await told({ API_PRIVATE_KEY: '' }, /^claviger policies: API_PRIVATE_KEY is not in the environment/)
  await told({ API_PRIVATE_KEY: 'aa' }, /not a P-256 private key/)
  await told({ API_PRIVATE_KEY: '11'.repeat(32) }, /does not belong to API_PRIVATE_KEY/)
  await told({ BASE_URL: 'http://127.0.0.1:1' }, /cannot be reached: /, 4)
  await told({ ORGANIZATION_ID: ground.userId }, /refuses \(\d+\): /)
})

async function lastActivity(organizationId: string): Promise<string> {
  const whatever = { read: (value: unknown) => value, schema: {} }
  const asked = { organizationId, filterByStatus: ['ACTIVITY_STATUS_FAILED'] }
  const answer = await signedQuery(callerFrom(ground.file, {}), 'list_activities', asked, whatever)
  // The query promises them, newest first.
  const { activities } = answer as { readonly activities: readonly { readonly id: string }[] }
  return present(activities[0], 'the refused request').id
}
