import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { present } from '../../src/trusted/base/assert.ts'
import { functionsIn } from '../../console/screens/contracts/functions-in.ts'
import type { Person } from '../clients/setting.ts'
import { consoleTests } from './console-setting.ts'

const consoleTest = await consoleTests()

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'

const ABI = JSON.stringify([
  {
    type: 'function',
    name: 'transfer',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
  },
  { type: 'function', name: 'pause', inputs: [] },
  { type: 'event', name: 'Transfer', inputs: [] },
])

const IDL = JSON.stringify({
  address: JUPITER,
  instructions: [
    {
      name: 'route',
      accounts: [{ name: 'payer' }, { name: 'vault' }],
      args: [{ name: 'inAmount', type: 'u64' }],
    },
  ],
  types: [],
})

/** Turns what follows it, and is markup. */
const LYING_NAME = '\u202e<b>Swaps</b>'

async function filled(page: Page, address: string, text: string): Promise<void> {
  await page.getByText('Add the interface of a contract').click()
  await page.getByLabel('Name', { exact: true }).fill('USDC')
  await page.getByLabel('Address of the contract').fill(address)
  await page.getByLabel('Or paste it').fill(text)
}

async function interfacesOf({ client, organizationId }: Person) {
  return (await client.getSmartContractInterfaces({ organizationId })).smartContractInterfaces
}

consoleTest(
  'an ABI is pasted, its functions are shown before it is sent, and it is deleted',
  async (setting) => {
    const { root, signedIn, look } = setting
    const page = await signedIn('/contracts')
    await page.getByText('No contract has an interface here.').waitFor()
    await filled(
      page,
      USDC,
      '[{"type":"function","name":"transfer","inputs":[{"name":"to","type":"adress"}]}]',
    )
    await page.getByText('abi[0].inputs[0].type').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled())
    await page.getByLabel('Or paste it').fill(ABI)
    await page.getByText('transfer(address to, uint256 amount)').waitFor()
    // keccak-256 of `transfer(address,uint256)`, its first four bytes (ERC-20)
    await page.getByText('0xa9059cbb').waitFor()
    await look(page, 'contract-new')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('link', { name: 'USDC' }).click()
    await page.getByText('pause()').waitFor()
    const [made] = await interfacesOf(root)
    assert.equal(made?.smartContractInterface, ABI)
    assert.equal(made.smartContractAddress, USDC)

    await page.getByRole('heading', { name: 'Policies that name this contract' }).waitFor()
    await root.client.createPolicy(
      root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
        policyName: 'Small transfers',
        effect: 'EFFECT_ALLOW' as const,
        condition: `eth.tx.to == '${USDC.toLowerCase()}' && eth.tx.function_name == 'transfer'`,
        consensus: 'true',
        notes: '',
      }),
    )
    await page.reload()
    await page.getByRole('link', { name: 'Small transfers' }).waitFor()
    await page.getByRole('button', { name: 'Delete this interface' }).click()
    await page.getByText('a policy that denies denies it').waitFor()
    await look(page, 'contract')
    await page.getByRole('button', { name: /yes, really/ }).click()
    await page.getByRole('heading', { name: 'There is no such interface' }).waitFor()
    assert.deepEqual(await interfacesOf(root), [])
  },
)

consoleTest(
  'an IDL comes from a file, and one of another program is refused before it is sent',
  async (setting) => {
    const { root, signedIn } = setting
    const page = await signedIn('/contracts')
    await page.getByText('Add the interface of a contract').click()
    await page.getByLabel('Kind').selectOption('Solana (IDL of Anchor)')
    await page.getByLabel('Name', { exact: true }).fill(LYING_NAME)
    await page
      .getByLabel('File with the interface')
      .setInputFiles({ name: 'idl.json', mimeType: 'application/json', buffer: Buffer.from(IDL) })
    await page.getByText('route(inAmount)').waitFor()
    await page.getByText('payer, vault').waitFor()
    await page.getByLabel('Address of the contract').fill('11111111111111111111111111111111')
    await page.getByText('is of the program').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled())
    await page.getByLabel('Address of the contract').fill(JUPITER)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('link', { name: '⟨U+202E⟩<b>Swaps</b>' }).waitFor()
    assert.equal((await interfacesOf(root))[0]?.smartContractInterface, IDL)
  },
)

consoleTest('a member without rights is told that the service refuses an interface', async (setting) => {
  const { root, user, signedIn } = setting
  const page = await signedIn('/contracts', await user(root, 'Eve'))
  await filled(page, USDC, ABI)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('The service refused this').waitFor()
})

consoleTest('what a host puts into an interface is shown as text, or not at all', async (setting) => {
  const { signedIn } = setting
  const [ada] = await setting.subOrganization('Lied to', ['Ada'])
  const person = present(ada, 'one user')
  await person.client.createSmartContractInterface(
    person.activity('ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE', {
      smartContractAddress: USDC,
      smartContractInterface: ABI,
      type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM' as const,
      label: 'USDC',
      notes: '',
    }),
  )
  const page = await signedIn('/contracts', person)
  const lies = async (smartContractInterface: string): Promise<void> => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.route('**/query/list_smart_contract_interfaces', async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      for (const one of answer.smartContractInterfaces) one.smartContractInterface = smartContractInterface
      await route.fulfill({ response, json: answer })
    })
    await page.evaluate("location.hash = '#/contracts'")
    await page.reload()
    await page.getByRole('link', { name: 'USDC' }).click()
  }
  await lies('{"<img src=x>\u202e":')
  await page.getByText('This page refused this').waitFor()
  await lies('[{"name":"<b>transfer</b>","inputs":[]}]')
  await page.getByText('is not a name').waitFor()
  assert.equal(await page.locator('main img, main li b').count(), 0)
  // The rest of the page is there, so that the interface can still be deleted.
  await page.getByRole('button', { name: 'Delete this interface' }).waitFor()
})

consoleTest('the functions of an interface are those that the vault reads', async () => {
  assert.deepEqual(functionsIn('SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM', ABI, ''), [
    { id: '0xa9059cbb', name: 'transfer', inputs: ['address to', 'uint256 amount'], accounts: [] },
    // keccak-256 of `pause()`
    { id: '0x8456cb59', name: 'pause', inputs: [], accounts: [] },
  ])
  const [route] = functionsIn('SMART_CONTRACT_INTERFACE_TYPE_SOLANA', IDL, JUPITER)
  assert.deepEqual([route?.name, route?.inputs, route?.accounts], ['route', ['inAmount'], ['payer', 'vault']])
})
