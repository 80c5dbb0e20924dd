import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { aService } from '../../../../test/support/service.ts'
import { Failure } from '../../base/failure.ts'
import { type Charter, nothingYet } from '../../charter/charter.ts'
import { readCharter } from '../../charter/charter-document.ts'
import { checkInterfacesBrought, withContractInterface } from '../../charter/contract-interfaces.ts'
import { limits } from '../../charter/limits.ts'
import { contractInterfaces, interfacesFor } from '../../objects/contract-interface.ts'

const CREATE = 'ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE'
const DELETE = 'ACTIVITY_TYPE_DELETE_SMART_CONTRACT_INTERFACE'
const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const PROGRAM = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'

const abi = JSON.stringify([
  { type: 'function', name: 'transfer', inputs: [{ name: 'to', type: 'address' }] },
])
const idl = JSON.stringify({
  instructions: [{ name: 'route', accounts: [], args: [{ name: 'amount', type: 'u64' }] }],
  types: [],
})

const token = {
  smartContractAddress: TOKEN,
  smartContractInterface: abi,
  type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
  label: 'Token',
}
const program = {
  smartContractAddress: PROGRAM,
  smartContractInterface: idl,
  type: 'SMART_CONTRACT_INTERFACE_TYPE_SOLANA',
  label: 'Program',
  notes: 'Swaps',
}

async function setting(t: TestContext) {
  const service = await aService()
  t.after(service.close)
  const { root } = service
  const created = async (parameters: object) =>
    (await service.done(root, CREATE, parameters)).smartContractInterfaceId
  const listed = async () =>
    (await service.query(root, 'list_smart_contract_interfaces')).json.smartContractInterfaces
  return { service, root, created, listed }
}

test('an uploaded interface is shown as it was sent, alone and in the list, until it is deleted', async (t) => {
  const { service, root, created, listed } = await setting(t)
  const smartContractInterfaceId = await created(token)
  const second = await created(program)

  const { json } = await service.query(root, 'get_smart_contract_interface', { smartContractInterfaceId })
  const { createdAt, updatedAt, ...shown } = json.smartContractInterface
  assert.deepEqual(shown, {
    organizationId: root.organizationId,
    smartContractInterfaceId,
    ...token,
    notes: '',
  })
  assert.deepEqual(createdAt, updatedAt)
  const all = await listed()
  assert.deepEqual(
    all.map((item: { label: string; notes: string }) => [item.label, item.notes]),
    [
      ['Token', ''],
      ['Program', 'Swaps'],
    ],
  )

  const gone = await service.done(root, DELETE, { smartContractInterfaceId })
  assert.deepEqual(gone, { smartContractInterfaceId })
  assert.equal((await listed())[0].smartContractInterfaceId, second)
  const missing = await service.query(root, 'get_smart_contract_interface', { smartContractInterfaceId })
  assert.equal(missing.status, 404)
  assert.equal(missing.json.code, 5)
  service.world.advance(1)
  assert.equal((await service.submit(root, DELETE, { smartContractInterfaceId })).status, 404)
})

test('a contract has one interface at a time, whatever the case of its address; a label names one', async (t) => {
  const { service, root, created } = await setting(t)
  const smartContractInterfaceId = await created(token)

  const again = { ...token, label: 'Other', smartContractAddress: TOKEN.toLowerCase() }
  const sameContract = await service.submit(root, CREATE, again)
  assert.equal(sameContract.status, 409)
  assert.match(sameContract.json.message, /^the contract 0xa0b8\w+ has an interface already/)
  const sameLabel = await service.submit(root, CREATE, { ...program, label: 'Token' })
  assert.equal(sameLabel.status, 409)
  assert.match(sameLabel.json.message, /^smart contract interface label must be unique/)

  await service.done(root, DELETE, { smartContractInterfaceId })
  await created(again)
  await created({ ...program, label: 'Token' })
})

test('an interface of another organization is as unknown as none', async (t) => {
  const { service, created } = await setting(t)
  const smartContractInterfaceId = await created(token)
  const stranger = await service.newOrganization()

  const theirs = await service.query(stranger, 'get_smart_contract_interface', { smartContractInterfaceId })
  assert.equal(theirs.status, 404)
  assert.equal((await service.submit(stranger, DELETE, { smartContractInterfaceId })).status, 404)
  assert.deepEqual(
    (await service.query(stranger, 'list_smart_contract_interfaces')).json.smartContractInterfaces,
    [],
  )
})

const refused: readonly (readonly [string, object, RegExp])[] = [
  [
    'an address that is none',
    { ...token, smartContractAddress: '0x12' },
    /"0x12" is not an address of Ethereum/,
  ],
  ['an address of another chain', { ...token, smartContractAddress: PROGRAM }, /not an address of Ethereum/],
  ['a program that is none', { ...program, smartContractAddress: TOKEN }, /not an address of Solana/],
  ['33 bytes of base58', { ...program, smartContractAddress: 'z'.repeat(44) }, /not an address of Solana/],
  [
    'an ABI that is no JSON',
    { ...token, smartContractInterface: '[' },
    /interface: abi: ended before a value/,
  ],
  ['an IDL for an ABI', { ...token, smartContractInterface: idl }, /abi: expected a list, got an object/],
  ['an ABI for an IDL', { ...program, smartContractInterface: abi }, /idl: expected an object, got an array/],
  [
    'an IDL without types',
    { ...program, smartContractInterface: '{"instructions":[]}' },
    /idl.types: missing/,
  ],
  [
    'an IDL of another program',
    { ...program, smartContractInterface: JSON.stringify({ ...JSON.parse(idl), address: '1'.repeat(32) }) },
    /idl.address: is of the program "1{32}"/,
  ],
  [
    'more than 400,000 characters',
    { ...token, smartContractInterface: `[${' '.repeat(400_000)}]` },
    /must have at most 400000 characters/,
  ],
  ['a kind that does not exist', { ...token, type: 'SMART_CONTRACT_INTERFACE_TYPE_SUI' }, /must be one of/],
]

test('what cannot be understood is refused, and the answer says where', async (t) => {
  const { service, root, listed } = await setting(t)
  for (const [name, parameters, message] of refused) {
    const answer = await service.submit(root, CREATE, parameters)
    assert.equal(answer.status, 400, name)
    assert.match(answer.json.message, message, name)
  }
  assert.deepEqual(await listed(), [])
})

test('an interface of 400,000 characters is kept whole', async (t) => {
  const { created, listed } = await setting(t)
  const smartContractInterface = `${abi.slice(0, -1)}${' '.repeat(400_000 - abi.length)}]`
  await created({ ...token, smartContractInterface })
  assert.equal((await listed())[0].smartContractInterface, smartContractInterface)
})

test('policies decide who may upload and delete interfaces', async (t) => {
  const { service, root } = await setting(t)
  const member = await service.user('Grace')
  assert.equal((await service.submit(member, CREATE, token)).status, 403)
  const effect = 'EFFECT_ALLOW'
  const condition = "activity.resource == 'SMART_CONTRACT_INTERFACE' && activity.action == 'CREATE'"
  const policy = { policyName: 'Uploads', effect, condition, notes: '' }
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy)

  const { smartContractInterfaceId } = await service.done(member, CREATE, token)
  assert.equal((await service.submit(member, DELETE, { smartContractInterfaceId })).status, 403)
})

const charter = { ...nothingYet, organizationId: 'o' } as unknown as Charter // all that these functions look at

test('an organization may have 100 interfaces', () => {
  let full = charter
  for (let made = 0; made < limits.contractInterfaces; made++)
    full = withContractInterface(full, { smartContractInterfaceId: `${made}`, address: `${made}` })
  assert.throws(
    () => withContractInterface(full, { smartContractInterfaceId: 'more', address: 'more' }),
    (thrown) => thrown instanceof Failure && thrown.kind === 'tooMany',
  )
})

test('a host that withholds the interface of a contract that is called, or brings another one, is found out', () => {
  const address = TOKEN.toLowerCase()
  const known = withContractInterface(charter, { smartContractInterfaceId: 'known', address })
  const check = (addresses: readonly string[], brought: readonly string[]) => () =>
    checkInterfacesBrought(
      known,
      addresses,
      brought.map((smartContractInterfaceId) => ({ smartContractInterfaceId, address })),
    )
  const isChange = (thrown: unknown) => thrown instanceof Failure && thrown.code === 9

  assert.throws(check([TOKEN], []), isChange)
  assert.throws(check([TOKEN], ['deleted']), isChange)
  assert.throws(check([TOKEN], ['deleted', 'known']), isChange)
  assert.throws(check([PROGRAM], ['deleted']), isChange)
  assert.doesNotThrow(check([TOKEN], ['known']))
  assert.doesNotThrow(check([PROGRAM], []))
})

test('a charter from before there were interfaces has none', () => {
  const { contractInterfaces: _, ...older } = { ...nothingYet, organizationId: 'o', users: [] }
  assert.deepEqual(readCharter(JSON.stringify(older)).contractInterfaces, [])
})

test('interfaces are found by the address of the contract: in either case for Ethereum, to the letter for Solana', () => {
  const answers = (asked: string, smartContractAddress: string) => {
    const body = { ...token, smartContractAddress }
    // The other members play no part in finding it.
    return interfacesFor([asked]).answers('id', contractInterfaces.parse(JSON.stringify(body)), [])
  }
  assert.equal(answers(TOKEN, TOKEN.toLowerCase()), true)
  assert.equal(answers(TOKEN.toLowerCase(), TOKEN), true)
  assert.equal(answers(PROGRAM, PROGRAM), true)
  assert.equal(answers(PROGRAM.toLowerCase(), PROGRAM), false)
})
