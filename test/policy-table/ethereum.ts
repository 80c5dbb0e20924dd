import assert from 'node:assert/strict'
import {
  encodeFunctionData,
  erc20Abi,
  getAddress,
  parseAbi,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializableEIP1559,
} from 'viem'
import {
  aSubOrganization,
  rootUser,
} from '../../src/trusted/activities/organizations/testing/sub-organization.ts'
import type { Member, TestService } from '../support/service.ts'
import { signsTransaction } from './asks.ts'
import { allow, type Ask, checked, decided, deny, SIGN, type Terms, written } from './decision.ts'
import { type Contract, type Organization, upload, walletOf } from './organization.ts'
import { shown } from './row.ts'

/** Rows 28 to 38: transactions of Ethereum, the case of addresses, and calls of contracts. */
export const rowsOfEthereum = [
  decided(28, 'the recipient is compared without regard to case', (o) => ({
    policies: [allow(`eth.tx.to == '${TOKEN.toLowerCase()}'`)],
    requests: [
      { ask: signs(o, { to: TOKEN }), comesTo: ['completed', 'ALLOW'] },
      { ask: signs(o, { to: OTHER }), comesTo: ['denied', 'DENY_IMPLICIT'] },
    ],
  })),
  decided(29, 'the address of an account is compared to the letter', (o) => ({
    policies: [allow(`wallet_account.address == '${o.E1.toLowerCase()}'`)],
    requests: [{ ask: signs(o), comesTo: ['denied', 'DENY_IMPLICIT'] }],
  })),
  decided(30, 'CaseInsensitiveString compares it without regard to case', (o) => ({
    policies: [
      allow(
        `CaseInsensitiveString(wallet_account.address) == CaseInsensitiveString('0x${o.E1.slice(2).toUpperCase()}')`,
      ),
    ],
    requests: [{ ask: signs(o), comesTo: ['completed', 'ALLOW'] }],
  })),
  decided(31, 'value and chain are bounded', (o) => ({
    policies: [allow('eth.tx.value <= 1000 && eth.tx.chain_id == 1')],
    requests: [
      { ask: signs(o, { value: 1000n }), comesTo: ['completed', 'ALLOW'] },
      { ask: signs(o, { value: 1001n }), comesTo: ['denied', 'DENY_IMPLICIT'] },
      { ask: signs(o, { value: 1000n, chainId: 10 }), comesTo: ['denied', 'DENY_IMPLICIT'] },
    ],
  })),
  shown(31, 'what is allowed is signed by the account, and with nothing changed', async (o) => {
    const policyIds = await written(o, [allow('eth.tx.value <= 1000')])
    const { result } = await checked(o, policyIds, { ask: signs(o), comesTo: ['completed', 'ALLOW'] })
    // The transaction is of type 2, which viem's name for its text says.
    const serializedTransaction = `0x${result.signTransactionResult.signedTransaction}` as `0x02${string}`
    assert.equal(await recoverTransactionAddress({ serializedTransaction }), o.E1)
  }),
  decided(32, 'the selector is cut out of the data', (o) => ({
    policies: [ofTransfer],
    requests: [
      { ask: signs(o, { data: transfer(1n) }), comesTo: ['completed', 'ALLOW'] },
      { ask: signs(o, { data: approve(1n) }), comesTo: ['denied', 'DENY_IMPLICIT'] },
    ],
  })),
  // The table leaves 500 or 403 open. Ours is 403, a decision like others: docs/decisions/refusals-and-errors.md.
  decided(33, 'data that are too short for the cut are never signed', (o) => ({
    policies: [ofTransfer],
    requests: [{ ask: signs(o, { data: '0x' }), comesTo: ['denied', 'ERROR'] }],
  })),
  // Published, the DENY is skipped: docs/decisions/policy-language.md.
  decided(33, 'a DENY that cuts data which are too short denies', (o) => ({
    policies: [allow(SIGN), deny("eth.tx.data[0..10] == '0xa9059cbb'")],
    requests: [{ ask: signs(o, { data: '0x' }), comesTo: ['denied', 'ALLOW', 'DENY_EXPLICIT'] }],
  })),
  decided(34, 'type, nonce and fee are seen', (o) => ({
    policies: [allow("eth.tx.type == 'TYPE_2' && eth.tx.nonce < 5 && eth.tx.max_fee_per_gas > 0")],
    requests: [
      { ask: signs(o, { nonce: 4 }), comesTo: ['completed', 'ALLOW'] },
      { ask: signs(o, { nonce: 5 }), comesTo: ['denied', 'DENY_IMPLICIT'] },
    ],
  })),
  decided(35, 'the argument of a call is bounded once the organization has the interface', async (o) => {
    await upload(o, o.R, token)
    return {
      policies: [littleTransfer],
      requests: [
        { ask: signs(o, { data: transfer(99n) }), comesTo: ['completed', 'ALLOW'] },
        { ask: signs(o, { data: transfer(100n) }), comesTo: ['denied', 'DENY_IMPLICIT'] },
      ],
    }
  }),
  shown(36, 'the interface of the parent does not count in a sub-organization', async (o) => {
    const { service } = o
    await upload(o, o.R, token)
    const sub = await aSubOrganizationWithOneUser(service)
    const { policyId } = await service.done(sub.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Little',
      notes: '',
      ...littleTransfer,
    })
    const { parameters, type } = signs({ E1: sub.address }, { data: transfer(99n) })
    service.world.advance(1)
    const refused = await service.submit(sub.user, type, parameters)
    assert.equal(refused.status, 403, refused.text)
    assert.deepEqual(refused.json.details[0].policyEvaluations, [{ policyId, outcome: 'OUTCOME_ERROR' }])

    await upload(o, sub.root, token)
    await service.done(sub.user, type, parameters)
  }),
  decided(37, 'all targets of a batch are compared, by position and without regard to case', async (o) => {
    await upload(o, o.R, batcher)
    return {
      policies: [allow(`eth.tx.contract_call_args['calls'].all(c, c[0] == '${TOKEN.toLowerCase()}')`)],
      requests: [
        { ask: calls(o, TOKEN, TOKEN), comesTo: ['completed', 'ALLOW'] },
        { ask: calls(o, TOKEN, OTHER), comesTo: ['denied', 'DENY_IMPLICIT'] },
      ],
    }
  }),
  decided(38, 'nothing in a tuple has a name', async (o) => {
    await upload(o, o.R, batcher)
    return {
      policies: [allow(`eth.tx.contract_call_args['calls'].all(c, c['target'] == '${TOKEN}')`)],
      requests: [{ ask: calls(o, TOKEN), comesTo: ['denied', 'ERROR'] }],
    }
  }),
]

/**
 * Row 69 is about a batch of calls in eth_send_transaction, which sends to the chain and is not built yet. What is here
 * is the same with two transactions as payloads of one request, which are judged one by one:
 * docs/decisions/raw-signing.md.
 */
export const rowsOfBatches = [
  decided(69, 'one transaction to elsewhere refuses the batch that it is in', (o) => ({
    policies: [allow(`eth.tx.to == '${TOKEN}'`)],
    requests: [
      { ask: signsBoth(o, TOKEN, TOKEN), comesTo: ['completed', 'ALLOW'] },
      { ask: signsBoth(o, TOKEN, OTHER), comesTo: ['denied', 'DENY_IMPLICIT'] },
      { ask: signsBoth(o, OTHER, TOKEN), comesTo: ['denied', 'DENY_IMPLICIT'] },
    ],
  })),
]

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const tokenAbi = parseAbi(['function transfer(address to, uint256 amt)'])
const batcherAbi = parseAbi(['function multicall((address target, bytes data)[] calls)'])
const token: Contract = { chain: 'ETHEREUM', address: TOKEN, interface: tokenAbi }
const batcher: Contract = { chain: 'ETHEREUM', address: TOKEN, interface: batcherAbi }

const ofTransfer = allow("eth.tx.data[0..10] == '0xa9059cbb'")
const littleTransfer: Terms = allow(
  "eth.tx.function_name == 'transfer' && eth.tx.contract_call_args['amt'] < 100",
)

type Changes = Partial<TransactionSerializableEIP1559>

function signs({ E1 }: Pick<Organization, 'E1'>, changes: Changes = {}): Ask {
  return signsTransaction(E1, 'ETHEREUM', serialized(changes))
}

function serialized(changes: Changes): string {
  return serializeTransaction({
    type: 'eip1559',
    chainId: 1,
    nonce: 0,
    gas: 60_000n,
    maxFeePerGas: 2n,
    maxPriorityFeePerGas: 1n,
    to: TOKEN,
    value: 0n,
    ...changes,
  })
}

function transfer(amount: bigint) {
  return encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [OTHER, amount] })
}

function approve(amount: bigint) {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [OTHER, amount] })
}

function calls(o: Organization, ...targets: readonly `0x${string}`[]): Ask {
  const args = [targets.map((target) => ({ target: getAddress(target), data: '0x00' as const }))] as const
  return signs(o, { data: encodeFunctionData({ abi: batcherAbi, functionName: 'multicall', args }) })
}

function signsBoth({ E1 }: Organization, ...recipients: readonly `0x${string}`[]): Ask {
  return {
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS',
    parameters: {
      signWith: E1,
      payloads: recipients.map((to) => serialized({ to })),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    },
  }
}

type Sub = { readonly root: Member; readonly user: Member; readonly address: string }

async function aSubOrganizationWithOneUser(service: TestService): Promise<Sub> {
  const { organizationId, roots } = await aSubOrganization(service)
  const [root] = roots
  const key = service.newKey()
  const users = [{ ...rootUser('A', key), userTags: [] }]
  const { userIds } = await service.done(root, 'ACTIVITY_TYPE_CREATE_USERS_V3', { users })
  const { addresses } = await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET', walletOf('W1'))
  return { root, user: { organizationId, userId: userIds[0], key }, address: addresses[0] }
}
