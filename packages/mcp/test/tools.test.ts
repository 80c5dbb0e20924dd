import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  encodeFunctionData,
  parseAbi,
  parseTransaction,
  recoverMessageAddress,
  recoverTypedDataAddress,
} from 'viem'
import { recoverTransactionAddress, type TransactionSerialized } from 'viem'
import { eventually } from '../../../test/support/eventually.ts'
import { payment, solTransfer } from './payments.ts'
import { toldBy } from './served.ts'
import { aSetting, ETHER } from './setting.ts'

const setting = await aSetting()
after(() => setting.close())
const { call, ethereum, solana, other, friends, service, pat, agent } = setting
const [friend, stranger] = [friends[0], '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65']

const ofMine = { chain: 'ethereum', signWith: ethereum }
let nonces = 0
const pays = (value: bigint, to: string = friend) => ({
  ...ofMine,
  unsignedTransaction: payment({ value, to, nonce: nonces++ }),
})
const triesToPay = (value: bigint, to?: string) =>
  call('try_signing', { request: { kind: 'transaction', ...pays(value, to) } })

async function approve(fingerprint: string, kind = 'APPROVE'): Promise<void> {
  const { status, text } = await service.submit(pat, `ACTIVITY_TYPE_${kind}_ACTIVITY`, { fingerprint })
  assert.equal(status, 200, text)
}

test('an agent is told who it is, and what may be signed, in words and as text', async () => {
  const { told } = await call('who_am_i')
  assert.deepEqual(
    [told.me.userId, told.me.userName, told.me.organizationId],
    [agent.userId, { data: 'Agent' }, agent.organizationId],
  )
  const [never, small] = told.policies
  assert.match(never.says, /^It refuses, whatever else allows/)
  assert.deepEqual(small.name, { data: 'Pays small amounts' })
  const words = small.condition.map(({ says }: { says: string }) => says)
  assert.ok(words.includes('eth.tx.value at most 100000000000000000 wei (0.1 ether)'), words.join('\n'))
  assert.ok(words.includes('in 24h together at most 500000000000000000 wei (0.5 ether)'))
  assert.ok(words.includes(`only to these addresses: ${friends.join(', ')}`))
})

test('what is left of a limit is what the service counted', async () => {
  const leftOf = async () => {
    const { told } = await call('who_am_i')
    return told.policies[1].limits.map(({ left, used, atMost }: Record<string, { coins: string }>) => [
      used?.coins,
      left?.coins,
      atMost?.coins,
    ])
  }
  assert.deepEqual(await leftOf(), [['0 ether', '0.5 ether', '0.5 ether']])
  const { isError } = await call('sign_transaction', pays(ETHER / 10n))
  assert.equal(isError, false)
  assert.deepEqual(await leftOf(), [['0.1 ether', '0.4 ether', '0.5 ether']])
  const { told } = await triesToPay(ETHER / 20n)
  assert.deepEqual(
    [told.limits.length, told.limits[0].left.coins, told.limits[0].hasRoom],
    [1, '0.4 ether', true],
  )
})

test('addresses that the policies of an agent name come first, and are marked', async () => {
  const { told } = await call('addresses')
  const marks = told.addresses.map((one: { signWith: string; namedInMyPolicies: boolean }) => [
    one.signWith,
    one.namedInMyPolicies,
  ])
  assert.deepEqual(marks.slice(0, 3), [
    [ethereum, true],
    [solana, true],
    [other, false],
  ])
  const one = await call('addresses', { walletId: setting.walletId })
  assert.equal(one.told.addresses.length, 2)
})

test('of more keys than an answer has room for, those that the policies name are listed, and the rest is counted', async () => {
  const made: string[] = []
  for (let batch = 0; batch < 3; batch += 1) {
    const privateKeys = Array.from({ length: 40 }, (_, at) => ({
      privateKeyName: `Key ${batch} ${at}`,
      curve: 'CURVE_ED25519',
      privateKeyTags: [],
      addressFormats: [],
    }))
    const result = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys })
    made.push(...result.privateKeys.map((key: { privateKeyId: string }) => key.privateKeyId))
  }
  const [first = '', last = ''] = [made[0], made.at(-1)]
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two keys',
    effect: 'EFFECT_ALLOW',
    condition: `activity.kind == 'SIGN_RAW_PAYLOAD' && private_key.id in ['${first}', '${last}']`,
    consensus: `approvers.any(u, u.id == '${agent.userId}')`,
    notes: '',
  })
  const { told } = await call('addresses')
  const listed = told.addresses.filter(({ privateKeyId }: { privateKeyId?: string }) => privateKeyId)
  assert.equal(listed.length, 100)
  const named = listed.filter((one: { namedInMyPolicies: boolean }) => one.namedInMyPolicies)
  assert.deepEqual(
    named.map(({ signWith }: { signWith: string }) => signWith).toSorted(),
    [first, last].toSorted(),
  )
  assert.match(told.says, / 20 more addresses of private keys are not listed\.$/)
})

test('a try says that it is allowed, whom it waits for, or why it is refused, and signs nothing', async () => {
  const before = await call('my_activities')
  const small = await triesToPay(ETHER / 100n)
  assert.equal(small.told.decision, 'allow')
  assert.match(
    small.told.says,
    /^It would be signed at once\. It sends 10000000000000000 wei \(0\.01 ether\) to 0x3C44/,
  )
  const large = await triesToPay(ETHER)
  assert.equal(large.told.decision, 'wait')
  assert.ok(large.told.mayApprove.some(({ userId }: { userId: string }) => userId === pat.userId))
  const request = { kind: 'transaction', ...pays(1n), signWith: other }
  const foreign = await call('try_signing', { request })
  assert.equal(foreign.told.decision, 'deny')
  assert.match(JSON.stringify(foreign.told.reasons), /wallet\.id is '/)
  assert.deepEqual((await call('my_activities')).told.activities, before.told.activities)
})

test('a payment within the limit is signed, and shown as the service reads it', async () => {
  const asked = pays(ETHER / 100n)
  const { told } = await call('sign_transaction', asked)
  assert.equal(told.status, 'ACTIVITY_STATUS_COMPLETED')
  // A signed transaction of this type begins with 02.
  const signed = `0x${told.signedTransaction}` as TransactionSerialized
  assert.equal(await recoverTransactionAddress({ serializedTransaction: signed }), ethereum)
  const { to, value } = parseTransaction(signed)
  assert.equal(to, friend.toLowerCase())
  assert.equal(value, ETHER / 100n)
  assert.deepEqual(told.decoded.fields['eth.tx.to'], { data: friend })
  assert.deepEqual(told.decoded.fields['eth.tx.value'], { units: `${ETHER / 100n} wei`, coins: '0.01 ether' })
})

test('a payment above the limit waits, and the agent is told when a person has approved it', async () => {
  const asked = pays(ETHER * 2n, stranger)
  const waiting = await call('sign_transaction', asked)
  assert.equal(waiting.told.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.match(waiting.told.says, new RegExp(`sends 2000000000000000000 wei \\(2 ether\\) to ${stranger}`))
  assert.ok(waiting.told.mayApprove.some(({ userId }: { userId: string }) => userId === pat.userId))
  const { activityId, fingerprint } = waiting.told
  const still = await call('wait_for_approval', { activityId, timeoutSeconds: 5 })
  assert.deepEqual([still.told.status, still.told.signedTransaction], [waiting.told.status, undefined])
  assert.deepEqual(setting.pauses, [2_000, 2_000, 1_000])
  const heard: string[] = []
  setting.beforePause(() => approve(fingerprint))
  const result = await setting.client.callTool(
    { name: 'wait_for_approval', arguments: { activityId } },
    { onprogress: ({ message = '' }) => heard.push(message) },
  )
  setting.beforePause(async () => {})
  const { told } = toldBy(result)
  assert.equal(told.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.deepEqual(heard, ['waiting for people'])
  // What the person approved is what was signed.
  const { to, value } = parseTransaction(`0x${told.signedTransaction}` as TransactionSerialized)
  assert.deepEqual([to, value], [stranger.toLowerCase(), ETHER * 2n])
  assert.match(told.says, new RegExp(`^It is approved and signed\\. It sends .* to ${stranger}`))
  assert.deepEqual(told.approvedBy, [agent.userId, pat.userId])
})

test('a wait that the host gives up is given up here', async () => {
  const { told } = await call('sign_transaction', pays(ETHER * 2n))
  const asked = { name: 'wait_for_approval', arguments: { activityId: told.activityId, timeoutSeconds: 600 } }
  for (const mode of ['auto', 'legacy'] as const) {
    const client = await setting.connected(mode)
    const gone = new AbortController()
    let hasEnded = false
    setting.pauses.length = 0
    setting.beforePause(async (signal) => {
      gone.abort()
      if (signal?.aborted === false) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      hasEnded = true
    })
    await assert.rejects(client.callTool(asked, { signal: gone.signal }))
    await eventually(
      () => hasEnded,
      () => `${mode}: the tool goes on`,
    )
    assert.deepEqual(setting.pauses, [2_000])
  }
  setting.beforePause(async () => {})
})

test('a host of an earlier protocol that goes away ends its wait, and another host does not', async () => {
  const { told } = await call('sign_transaction', pays(ETHER * 2n))
  const asked = { name: 'wait_for_approval', arguments: { activityId: told.activityId, timeoutSeconds: 600 } }
  const [client, other] = [await setting.connected('legacy'), await setting.connected('legacy')]
  let wasAborted: boolean | undefined
  setting.beforePause(async (signal) => {
    // Both hosts count their requests from nought, so the other one has one of this number too.
    for (const requestId of [0, 1, 2, 3])
      await other.notification({ method: 'notifications/cancelled', params: { requestId } })
    wasAborted = signal?.aborted
    await client.close()
    if (signal?.aborted === false) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    setting.pauses.push(0)
  })
  await assert.rejects(client.callTool(asked))
  await eventually(() => setting.pauses.at(-1) === 0)
  assert.equal(wasAborted, false)
  setting.beforePause(async () => {})
})

test('a rejection ends the wait', async () => {
  const { told } = await call('sign_transaction', pays(ETHER * 3n))
  await approve(told.fingerprint, 'REJECT')
  const ended = await call('wait_for_approval', { activityId: told.activityId })
  assert.equal(ended.told.status, 'ACTIVITY_STATUS_REJECTED')
  assert.match(ended.told.says, /^It is rejected\./)
  assert.deepEqual(ended.told.approvedBy, [agent.userId])
})

test('a call of a token is told in words, and other data are not', async () => {
  const abi = parseAbi([
    'function transfer(address to, uint256 amount)',
    'function approve(address by, uint256 amount)',
  ])
  const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
  const tried = async (data: string) => {
    const unsignedTransaction = payment({ value: 0n, to: token, data, nonce: nonces++ })
    return (await call('try_signing', { request: { kind: 'transaction', ...ofMine, unsignedTransaction } }))
      .told
  }
  // An address begins with 0x.
  const args = [stranger as `0x${string}`, 5_000_000n] as const
  const sends = await tried(encodeFunctionData({ abi, functionName: 'transfer', args }))
  assert.match(
    sends.says,
    new RegExp(`sends 5000000 units of the token ${token} to ${stranger.toLowerCase()}`),
  )
  const lets = await tried(encodeFunctionData({ abi, functionName: 'approve', args }))
  assert.match(
    lets.says,
    new RegExp(`lets ${stranger.toLowerCase()} take 5000000 units of the token ${token}`),
  )
  const unknown = await tried(`0xa9059cbb${'ff'.repeat(64)}`)
  assert.match(unknown.says, /calls the contract .* with data that this server does not read/)
  assert.deepEqual(unknown.decoded.tokenCalls, [])
})

test('messages and typed data are signed as wallets sign them', async () => {
  const message = 'Log in at example.com 🚀'
  const signed = await call('sign_message', { ...ofMine, message })
  const signature = signed.told.signature.hex
  assert.equal(await recoverMessageAddress({ message, signature }), ethereum)
  const typed = {
    types: {
      EIP712Domain: [{ name: 'name', type: 'string' }],
      Order: [
        { name: 'amount', type: 'uint256' },
        { name: 'note', type: 'string' },
      ],
    },
    primaryType: 'Order',
    domain: { name: 'Shop' },
    message: {
      amount: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
      note: 'n',
    },
  } as const
  const data = await call('sign_typed_data', { signWith: ethereum, typedData: JSON.stringify(typed) })
  const by = await recoverTypedDataAddress({
    ...typed,
    message: { ...typed.message, amount: BigInt(typed.message.amount) },
    signature: data.told.signature.hex,
  })
  assert.equal(by, ethereum)
  assert.match(data.told.decoded.fields['eth.eip_712.message'].data, /amount: '1157920892373/)
  const bytes = await call('sign_message', { chain: 'solana', signWith: solana, message })
  assert.match(bytes.told.signature.hex, /^[0-9a-f]{128}$/)
})

test('a count is a limit too, and a refusal by it says when there is room', async () => {
  const message = (at: number) => call('sign_message', { ...ofMine, message: `message ${at}` })
  while (!(await message(nonces++)).isError);
  const tried = await call('try_signing', { request: { kind: 'message', ...ofMine, message: 'one more' } })
  assert.deepEqual([tried.told.limits.length, tried.told.limits[0].hasRoom], [1, false])
  const refused = await message(nonces++)
  assert.equal(refused.told.says, 'The service refuses (403).')
  assert.match(refused.told.advice, /Do not try to get around them.* room again from 2026-11-21T0[01]:/)
  assert.match(refused.told.activityId, /^[0-9a-f-]{36}$/)
})

test('a transfer of Solana is shown with amount and destination', async () => {
  const to = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'
  const request = {
    kind: 'transaction',
    chain: 'solana',
    signWith: solana,
    unsignedTransaction: solTransfer(solana, to),
  }
  const { told, text } = await call('try_signing', { request })
  assert.equal(told.decision, 'deny', text)
  assert.deepEqual(told.decoded.lists['solana.tx.transfers'], [
    { from: { data: solana }, to: { data: to }, amount: { units: '1500000000 lamports', coins: '1.5 SOL' } },
  ])
  assert.match(told.says, new RegExp(`sends 1500000000 lamports \\(1\\.5 SOL\\) to ${to}`))
})

test('an agent sees its own activities and waits for no others', async () => {
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'T', userIds: [] })
  const { json } = await service.query(service.root, 'list_activities', { paginationOptions: { limit: '1' } })
  const waited = await call('wait_for_approval', { activityId: json.activities[0].id })
  assert.equal(waited.isError, true)
  assert.equal(waited.told.says, 'This activity is not a request of this agent.')
  const { told } = await call('my_activities', { limit: 50 })
  assert.ok(told.activities.length > 5)
  assert.ok(told.activities.every(({ type }: { type: string }) => /_SIGN_/.test(type)))
  const two = await call('my_activities', { limit: 2 })
  const next = await call('my_activities', { limit: 2, after: two.told.continueAfter })
  assert.deepEqual([...two.told.activities, ...next.told.activities], told.activities.slice(0, 4))
})

test('a request of somebody else is no request of this agent, though it has voted on it', async () => {
  const { chain: _, ...parameters } = { ...pays(ETHER * 2n), type: 'TRANSACTION_TYPE_ETHEREUM' }
  const { json } = await service.submit(pat, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters)
  const { id: activityId, fingerprint, status } = json.activity
  assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const vote = await service.submit(agent, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  assert.equal(vote.status, 200, vote.text)

  const waited = await call('wait_for_approval', { activityId })

  assert.equal(waited.told.says, 'This activity is not a request of this agent.')
  const { told } = await call('my_activities', { limit: 50 })
  assert.ok(told.activities.every((mine: { activityId: string }) => mine.activityId !== activityId))
})
