import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseEther, serializeTransaction } from 'viem'
import { aService, type JsonAnswer, type Member } from '../../../../test/support/service.ts'

const CREATE = 'ACTIVITY_TYPE_CREATE_VELOCITY_CONTROL'
const DELETE = 'ACTIVITY_TYPE_DELETE_VELOCITY_CONTROL'
const POLICY = 'ACTIVITY_TYPE_CREATE_POLICY_V3'
const TAG = 'ACTIVITY_TYPE_CREATE_USER_TAG'
const HOUR_MS = 60 * 60 * 1000

const service = await aService()
const { world, root, organizationId } = service
after(() => service.close())

const ether = { definition: [{ caip19: 'eip155:1/slip44:60', decimals: '18' }] }

function control(identifier: string, dataSource: object, more: object = {}) {
  return {
    name: `Control ${identifier}`,
    identifier,
    dataSource,
    aggregation: {
      method: 'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT',
      operator: 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN_OR_EQUAL',
      threshold: '2',
      window: { rolling: { duration: '3600' } },
      groupBy: { user: {} },
      ...more,
    },
  }
}

const sum = { method: 'VELOCITY_CONTROL_AGGREGATION_METHOD_SUM' }

async function create(parameters: object): Promise<string> {
  return (await service.done(root, CREATE, parameters)).velocityControlId
}

async function submitted(by: Member, type: string, parameters: object) {
  world.advance(1)
  return await service.submit(by, type, parameters)
}

async function refusal(type: string, parameters: object): Promise<string> {
  const { status, json } = await submitted(root, type, parameters)
  assert.equal(status, 400, JSON.stringify(parameters))
  return json.message
}

const never = { effect: 'EFFECT_DENY', condition: 'false', notes: '' }

let policies = 0
async function allow(by: Member, condition: string): Promise<string> {
  const consensus = `approvers.any(user, user.id == '${by.userId}')`
  const policy = { policyName: `P${++policies}`, effect: 'EFFECT_ALLOW', condition, consensus, notes: '' }
  return (await service.done(root, POLICY, policy)).policyId
}

let tags = 0
const tagged = async (by: Member) =>
  (await submitted(by, TAG, { userTagName: `T${++tags}`, userIds: [] })).status

test('a control of activities allows as many as it says in its window, for each user, and counts no others', async () => {
  const [ada, ben] = [await service.user('Ada of tags'), await service.user('Ben of tags')]
  const activity = [{ activityType: TAG }]
  await create(control('tags_an_hour', { activityExecution: { filter: { activity } } }))
  for (const member of [ada, ben])
    await allow(member, "activity.kind == 'CREATE_USER_TAG' && controls.tags_an_hour")
  await allow(ada, "activity.kind == 'CREATE_POLICY' && controls.tags_an_hour")

  assert.deepEqual([await tagged(ada), await tagged(ada), await tagged(ada)], [200, 200, 403])
  assert.equal(await tagged(ben), 200)
  // What is not counted sees what was: two are allowed, and two there are.
  const policy = { policyName: 'Of Ada', effect: 'EFFECT_DENY', condition: 'false', notes: '' }
  assert.equal((await submitted(ada, POLICY, policy)).status, 200)
  world.advance(HOUR_MS + HOUR_MS / 64)
  assert.equal(await tagged(ada), 200)
})

test('a control of transfers sums what is signed of its asset, in its unit, and no other chain’s', async () => {
  const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      {
        privateKeyName: 'Spending',
        curve: 'CURVE_SECP256K1',
        privateKeyTags: [],
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      },
    ],
  })
  const signWith = privateKeys[0].privateKeyId
  const spender = await service.user('Spender')
  const aggregation = {
    ...sum,
    threshold: '1.5',
    window: { rolling: { duration: '86400' } },
    groupBy: { organization: {} },
  }
  await create(control('daily_ether', { chainAssetTransfer: ether }, aggregation))
  await allow(spender, "activity.action == 'SIGN' && controls.daily_ether")
  let nonce = 0
  const sent = async (value: string, chainId = 1, data: `0x${string}` = '0x') => {
    const to = '0x000000000000000000000000000000000000dEaD'
    const unsignedTransaction = serializeTransaction({
      chainId,
      to,
      data,
      value: parseEther(value),
      nonce: nonce++,
      gas: 21_000n,
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
    }).slice(2)
    const type = 'TRANSACTION_TYPE_ETHEREUM'
    const parameters = { signWith, unsignedTransaction, type }
    return (await submitted(spender, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters)).status
  }
  assert.deepEqual([await sent('1'), await sent('0.5'), await sent('0.000000000000000001')], [200, 200, 403])
  // Of another chain nothing is counted, and what was counted is not over the limit.
  assert.deepEqual([await sent('100', 8453), await sent('0')], [200, 200])
  assert.equal(await sent('0.1'), 403)
  // A call that moves tokens has the value 0: a policy that allows it has to name plain payments.
  assert.equal(await sent('0', 1, '0xa9059cbb'), 200)
})

test('a control of one version of an activity counts the others too', async () => {
  const { privateKeys } = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      { privateKeyName: 'Raw', curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [] },
    ],
  })
  const { privateKeyId } = privateKeys[0]
  const signer = await service.user('Signer of raw bytes')
  const activity = [{ activityType: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2' }]
  await create(control('raw', { activityExecution: { filter: { activity } } }))
  await allow(signer, "activity.kind == 'SIGN_RAW_PAYLOAD' && controls.raw")
  const payload = { payload: '00'.repeat(32), encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' }
  const how = { ...payload, hashFunction: 'HASH_FUNCTION_NO_OP' }
  const older = async () =>
    (await submitted(signer, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD', { privateKeyId, ...how })).status
  const newer = async () =>
    (await submitted(signer, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', { signWith: privateKeyId, ...how })).status
  assert.deepEqual([await older(), await newer(), await older(), await newer()], [200, 200, 403, 403])
})

test('many at once do not pass a control', async () => {
  const racer = await service.user('Racer')
  await create(control('race', { activityExecution: {} }, { threshold: '3' }))
  await allow(racer, "activity.kind == 'CREATE_USER_TAG' && controls.race")
  world.advance(1)
  const now = world.now()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      service.submit(racer, TAG, { userTagName: `R${at}`, userIds: [] }, { timestampMs: now + at }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 3)
})

test('a policy names only a control that is there, which then stays as long as it is named', async () => {
  const id = await create(control('named', { activityExecution: {} }))
  const terms = { policyName: 'Names one', effect: 'EFFECT_DENY', notes: '' }
  assert.match(
    await refusal(POLICY, { ...terms, condition: '!controls.nobody' }),
    /there is no velocity control "nobody"/,
  )
  const { policyId } = await service.done(root, POLICY, {
    ...terms,
    condition: "activity.kind == 'UPDATE_POLICY' && !controls.named && false",
  })
  const change = { policyId, policyCondition: 'controls.nobody' }
  assert.match(await refusal('ACTIVITY_TYPE_UPDATE_POLICY_V2', change), /there is no velocity control/)
  assert.match(
    await refusal(DELETE, { velocityControlId: id }),
    /velocity control "named" is named by policy "Names one"/,
  )
  await service.done(root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
  assert.deepEqual(await service.done(root, DELETE, { velocityControlId: id }), { velocityControlId: id })
  assert.equal((await submitted(root, DELETE, { velocityControlId: id })).json.code, 5)
})

test('a waiting policy does not stand on a control that was made after its request', async () => {
  const own = service.of(await service.newOrganization())
  const keeper = await own.user('Keeper of controls')
  const second = await own.user('Second root')
  await own.done(own.root, POLICY, {
    policyName: 'The keeper of controls',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind in ['CREATE_VELOCITY_CONTROL', 'DELETE_VELOCITY_CONTROL']",
    consensus: `approvers.any(user, user.id == '${keeper.userId}')`,
    notes: '',
  })
  const { policyId } = await own.done(own.root, POLICY, { ...never, policyName: 'Stands' })
  const userIds = [own.root.userId, second.userId]
  await own.done(own.root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  const outcome = async (type: string, parameters: object, meanwhile: () => Promise<unknown>) => {
    world.advance(1)
    const { fingerprint, id: activityId } = (await own.submit(own.root, type, parameters)).json.activity
    await meanwhile()
    await own.submit(second, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    const { status, failure } = (await own.query(own.root, 'get_activity', { activityId })).json.activity
    return status === 'ACTIVITY_STATUS_COMPLETED' ? status : failure.message
  }
  const condition = "activity.kind == 'CREATE_USER_TAG' && controls.swapped"
  const created = { ...never, policyName: 'Created', condition }
  const requests = [
    [POLICY, created],
    ['ACTIVITY_TYPE_CREATE_POLICIES', { policies: [{ ...created, policyName: 'One of several' }] }],
    ['ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, policyCondition: condition }],
  ] as const
  const limit = (threshold: string) => control('swapped', { activityExecution: {} }, { threshold })
  let { velocityControlId } = await own.done(keeper, CREATE, limit('2'))
  const swapped = async (pauseMs: number) => {
    const now = { timestampMs: world.now() + 1 }
    assert.equal((await own.submit(keeper, DELETE, { velocityControlId }, now)).status, 200)
    world.advance(pauseMs)
    const { json } = await own.submit(keeper, CREATE, limit('1000000'))
    velocityControlId = json.activity.result.createVelocityControlResult.velocityControlId
  }
  // Also within the millisecond of the request.
  for (const [type, parameters] of requests)
    for (const pauseMs of [0, 1])
      assert.match(
        await outcome(type, parameters, () => swapped(pauseMs)),
        /^velocity control "swapped" is newer than this request: look at it, and send the request again$/,
      )
  for (const [type, parameters] of requests)
    assert.equal(await outcome(type, parameters, async () => {}), 'ACTIVITY_STATUS_COMPLETED')
})

test('a control cannot be asked where usage cannot', async () => {
  await create(control('somewhere', { activityExecution: {} }))
  const terms = { policyName: 'Wrong', effect: 'EFFECT_DENY', notes: '' }
  const wrong = [
    '[1].any(x, controls.somewhere)',
    "usage.sum([1].filter(x, controls.somewhere).count(), '1h') > 1",
    'controls.somewhere.more',
    "controls['somewhere']",
    'controls == controls',
    'controls.somewhere == 1',
    Array.from({ length: 9 }, () => 'controls.somewhere').join(' && '),
  ]
  for (const condition of wrong)
    assert.match(await refusal(POLICY, { ...terms, condition }), /^invalid policy condition: /)
  // The name of a variable is its own.
  const condition = "solana.tx.instructions.any(controls, controls.program_key == 'x')"
  assert.ok(await service.done(root, POLICY, { ...terms, condition }))
})

test('what cannot be counted is refused, and not counted as something else', async () => {
  const of = (dataSource: object, more: object = {}) => control('refused', dataSource, more)
  const transfers = (change: object) => ({ chainAssetTransfer: { ...ether, ...change } })
  const asset = (caip19: string, decimals = '18') => transfers({ definition: [{ caip19, decimals }] })
  const window = (duration: string) => ({ window: { rolling: { duration } } })
  const wrong = [
    of({}),
    of({ chainAssetTransfer: ether, activityExecution: {} }),
    of({ activityExecution: {} }, sum),
    of(asset('eip155:1/erc20:0xdac17f958d2ee523a2206206994597c13d831ec7'), sum),
    of(asset('eip155:01/slip44:60'), sum),
    of(asset('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/slip44:501', '9'), sum),
    of(asset('eip155:1/slip44:60', '6'), sum),
    of(transfers({ phase: { submission: {} } }), sum),
    of({ activityExecution: {} }, { window: { infinite: {} } }),
    of({ activityExecution: {} }, { window: {} }),
    of({ activityExecution: {} }, { window: { rolling: { duration: '3600' }, infinite: {} } }),
    of({ activityExecution: {} }, window('59')),
    of({ activityExecution: {} }, window('61')),
    of({ activityExecution: {} }, window('2678460')),
    of({ activityExecution: {} }, window('1e3')),
    of({ activityExecution: {} }, { groupBy: {} }),
    of({ activityExecution: {} }, { groupBy: { user: {}, wallet: {} } }),
    of({ activityExecution: {} }, { threshold: '1.5' }),
    of({ activityExecution: {} }, { threshold: '-1' }),
    of({ activityExecution: {} }, { threshold: '1e3' }),
    of(transfers({}), { ...sum, threshold: '0.0000000000000000001' }),
    of({ activityExecution: { filter: { activity: [{ activityType: "X'] || true" }] } } }),
    { ...of({ activityExecution: {} }), identifier: 'count' },
    { ...of({ activityExecution: {} }), identifier: 'a.b' },
    { ...of({ activityExecution: {} }), identifier: '1st' },
  ]
  for (const item of wrong) await refusal(CREATE, item)
  assert.ok(await create(of(transfers({ phase: { signature: {} } }), { ...sum, threshold: '0.10' })))
  assert.match(await refusal(CREATE, of({ activityExecution: {} })), /identifier must be unique/)
})

test('a control is told as it was asked for, to its own organization alone', async () => {
  const asked = control('told', { chainAssetTransfer: ether }, { ...sum, threshold: '1.50' })
  const velocityControlId = await create(asked)
  const { json } = await service.query(root, 'get_velocity_control', { velocityControlId })
  const { createdAt, updatedAt, ...told } = json.velocityControl
  assert.deepEqual(createdAt, updatedAt)
  assert.deepEqual(told, { ...asked, velocityControlId, organizationId })
  const { velocityControls } = (await service.query(root, 'list_velocity_controls')).json
  assert.deepEqual(
    velocityControls.find((velocityControl: JsonAnswer) => velocityControl.identifier === 'told'),
    json.velocityControl,
  )
  const stranger = await service.newOrganization()
  const elsewhere = await service.query(stranger, 'get_velocity_control', { velocityControlId })
  assert.equal(elsewhere.json.code, 5)
  assert.deepEqual((await service.query(stranger, 'list_velocity_controls')).json.velocityControls, [])
  const gone = await service.submit(stranger, DELETE, { velocityControlId })
  assert.equal(gone.json.code, 5)
})

test('controls are listed whole, or page by page in both directions', async () => {
  const asked = await service.newOrganization()
  const page = async (paginationOptions?: object) => {
    const { json, text } = await service.query(asked, 'list_velocity_controls', { paginationOptions })
    assert.ok(json.velocityControls, text)
    const ids: string[] = json.velocityControls.map(({ velocityControlId }: JsonAnswer) => velocityControlId)
    return { ids, ...json.pageInfo }
  }
  const none = { hasNextPage: false, hasPreviousPage: false }
  assert.deepEqual(await page(), { ids: [], ...none })
  for (let i = 0; i < 12; i++)
    await service.done(asked, CREATE, control(`paged_${i}`, { activityExecution: {} }))
  const all = (await page()).ids
  assert.equal(new Set(all).size, 12)
  const told = (ids: readonly string[], more: object) => ({
    ids,
    ...none,
    ...more,
    startCursor: ids[0],
    endCursor: ids.at(-1),
  })
  assert.deepEqual(await page(), told(all, {}))
  assert.deepEqual(await page({}), told(all.slice(0, 10), { hasNextPage: true }))
  assert.deepEqual(await page({ limit: '10', after: all[9] }), told(all.slice(10), { hasPreviousPage: true }))
  const between = { hasNextPage: true, hasPreviousPage: true }
  assert.deepEqual(await page({ limit: '2', before: all[5] }), told(all.slice(3, 5), between))
  assert.deepEqual(await page({ limit: '9', after: all[1], before: all[4] }), told(all.slice(2, 4), between))
  assert.deepEqual(await page({ after: all[11] }), { ids: [], hasNextPage: false, hasPreviousPage: true })
})

test('an explanation of a policy shows what its control counts', async () => {
  const ruled = await service.user('Ruled')
  await create(control('explained', { activityExecution: {} }))
  const policyId = await allow(ruled, "activity.kind == 'CREATE_USER_TAG' && controls.explained")
  const { status, text } = await service.query(root, 'try_activity', {
    type: TAG,
    parameters: { userTagName: 'Tried', userIds: [] },
    userId: ruled.userId,
    explain: true,
  })
  assert.equal(status, 200, text)
  assert.ok(text.includes(policyId))
  assert.match(text, /"kind":"usage",[^{]*"text":"controls.explained","result":\{"value":"1"\}/)
})
