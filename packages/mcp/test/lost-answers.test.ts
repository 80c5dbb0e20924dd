import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startClaviger } from '../../../src/host/emulator/start-claviger.ts'
import { temporaryFolder } from '../../../test/support/running-service.ts'
import { served } from './served.ts'

const claviger = await startClaviger({ seed: 7 })
after(() => claviger.close())
const agent = await claviger.newUser('Agent')
const keyFile = join(temporaryFolder(), 'agent.env')
writeFileSync(keyFile, agent.env(), { mode: 0o600 })
const { json: made } = await claviger.root.submit('create_private_keys', {
  privateKeys: [
    {
      privateKeyName: 'Key',
      curve: 'CURVE_SECP256K1',
      privateKeyTags: [],
      addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
    },
  ],
})
const { address } = made.activity.result.createPrivateKeysResultV2.privateKeys[0].addresses[0]
await claviger.root.submit('create_policy', {
  policyName: 'Signs',
  effect: 'EFFECT_ALLOW',
  condition: "activity.kind == 'SIGN_RAW_PAYLOAD'",
  consensus: `approvers.any(u, u.id == '${agent.userId}')`,
  notes: '',
})
let now = claviger.clock.now().getTime()
const { call, pauses, close } = await served(keyFile, {
  now: () => now,
  advance: (ms) => {
    now += ms
  },
})
after(() => close())

const sign = (message: string) => call('sign_message', { chain: 'ethereum', signWith: address, message })
const signatures = async () => (await call('my_activities', { limit: 50 })).told.activities.length

test('an answer that was lost is asked for again with the same bytes, and signed once', async () => {
  const before = await signatures()
  claviger.faults.next('sign_raw_payload', { dropAnswer: true })
  claviger.faults.next('sign_raw_payload', { status: 503 })
  const { told } = await sign('once')
  assert.equal(told.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.equal(await signatures(), before + 1)
  assert.deepEqual(pauses, [250, 1_000])
})

test('where no answer comes at all, the agent is told to look before it asks again', async () => {
  const before = await signatures()
  for (let lost = 0; lost < 4; lost += 1) claviger.faults.next('sign_raw_payload', { dropAnswer: true })
  const { isError, told } = await sign('lost')
  assert.equal(isError, true)
  assert.match(told.says, /whether it has carried the request out is not known/)
  assert.match(told.advice, /before my_activities shows/)
  assert.equal(await signatures(), before + 1)
})

test('a limit of requests that meets the second sending is no refusal, since the first one may have signed', async () => {
  const before = await signatures()
  claviger.faults.next('sign_raw_payload', { dropAnswer: true })
  claviger.faults.next('sign_raw_payload', { status: 429 })
  assert.equal((await sign('limited')).told.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.equal(await signatures(), before + 1)

  claviger.faults.next('sign_raw_payload', { dropAnswer: true })
  for (let limited = 0; limited < 3; limited += 1) claviger.faults.next('sign_raw_payload', { status: 429 })
  const { told } = await sign('limited for long')
  assert.match(told.says, /whether it has carried the request out is not known/)
  assert.match(told.advice, /before my_activities shows/)
})

test('a request that is refused for good is not sent again', async () => {
  claviger.faults.next('sign_raw_payload', { status: 429 })
  pauses.length = 0
  const { told } = await sign('too many')
  assert.equal(told.says, 'The service refuses (429).')
  assert.match(told.advice, /wait a minute/)
  assert.deepEqual(pauses, [])
})

test('a failure of the service, which may have signed before it, is not told as a refusal', async () => {
  for (const status of [500, 501]) {
    claviger.faults.next('sign_raw_payload', { status })
    assert.equal((await sign(`after ${status}`)).told.status, 'ACTIVITY_STATUS_COMPLETED')
  }
  for (let failed = 0; failed < 4; failed += 1) claviger.faults.next('sign_raw_payload', { status: 500 })
  const { isError, told } = await sign('failed')
  assert.equal(isError, true)
  assert.match(told.says, /whether it has carried the request out is not known/)
  assert.match(told.advice, /before my_activities shows/)
})
