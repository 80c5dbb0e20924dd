import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertActivityCompleted } from '@turnkey/http'
import { TurnkeySigner } from '@turnkey/ethers'
import {
  JsonRpcProvider,
  Network,
  recoverAddress,
  Transaction,
  type TransactionLike,
  type TransactionRequest,
  TypedDataEncoder,
  verifyAuthorization,
  verifyMessage,
  verifyTypedData,
  Wallet,
} from 'ethers'
import { present } from '../../src/trusted/base/assert.ts'
import { blobTransaction, CONTRACT, fees, SOMEONE } from './ethereum-samples.ts'
import { ethereumAccount, newAddress } from './new-wallet.ts'
import { sdkServer } from './sdk-server.ts'
import { aSetting } from './setting.ts'

// The published @turnkey/ethers: a signer of ethers whose key is an account of a wallet here.
const setting = await aSetting()
after(() => setting.service.kill())
const { root } = setting
const address = await newAddress(root, ethereumAccount)
const signer = signerOf(root, address)

const accessList = [{ address: CONTRACT, storageKeys: [`0x${'01'.repeat(32)}`] }]
const transactions: Readonly<Record<string, TransactionRequest>> = {
  legacy: {
    type: 0,
    chainId: 1,
    nonce: 1,
    gasPrice: 10n ** 9n,
    gasLimit: 21_000,
    to: SOMEONE,
    value: 10n ** 30n,
  },
  'legacy for every chain': {
    type: 0,
    nonce: 1,
    gasPrice: 10n ** 9n,
    gasLimit: 21_000,
    to: SOMEONE,
    value: 1,
  },
  eip2930: {
    type: 1,
    chainId: 10,
    nonce: 2,
    gasPrice: 7,
    gasLimit: 50_000,
    to: CONTRACT,
    data: '0xa9059cbb',
    accessList,
  },
  eip1559: {
    type: 2,
    chainId: 1,
    nonce: 3,
    ...fees,
    gasLimit: 90_000,
    to: CONTRACT,
    value: 5,
    data: '0x00ff',
    accessList,
  },
  'the making of a contract': {
    type: 2,
    chainId: 1,
    nonce: 4,
    ...fees,
    gasLimit: 900_000,
    data: '0x60006000f3',
  },
  'blobs, by their hashes': {
    type: 3,
    chainId: 1,
    nonce: 5,
    ...fees,
    gasLimit: 21_000,
    to: SOMEONE,
    maxFeePerBlobGas: 10n ** 9n,
    blobVersionedHashes: [...blobTransaction.blobVersionedHashes],
  },
}

const domain = {
  name: 'Exchange',
  version: '2',
  chainId: 1,
  verifyingContract: CONTRACT,
  salt: `0x${'0a'.repeat(32)}`,
}
const types = {
  Asset: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  Order: [
    { name: 'maker', type: 'address' },
    { name: 'offers', type: 'Asset[]' },
    { name: 'pair', type: 'Asset[2]' },
    { name: 'change', type: 'int128' },
    { name: 'partial', type: 'bool' },
    { name: 'kind', type: 'bytes4' },
    { name: 'extra', type: 'bytes' },
    { name: 'note', type: 'string' },
    { name: 'matrix', type: 'uint8[2][]' },
  ],
}
const order = {
  maker: SOMEONE,
  offers: [{ token: CONTRACT, amount: 2n ** 256n - 1n }],
  pair: [
    { token: CONTRACT, amount: 0 },
    { token: SOMEONE, amount: 2n ** 53n },
  ],
  change: -(2n ** 127n),
  partial: false,
  kind: '0x01020304',
  extra: new Uint8Array([1, 2, 3]),
  note: 'ünïcödé ✍',
  matrix: [[1, 255]],
}

test('the signer has the address of its account, or of the private key whose id it was given', async () => {
  assert.equal(await signer.getAddress(), address)
  const { activity } = await root.client.createPrivateKeys(
    root.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [
        {
          privateKeyName: 'By its id',
          curve: 'CURVE_SECP256K1',
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
        },
      ],
    }),
  )
  const made = present(activity.result.createPrivateKeysResultV2?.privateKeys[0], 'the key')
  const byId = signerOf(root, present(made.privateKeyId, 'its id'))
  assert.equal(await byId.getAddress(), made.addresses?.[0]?.address)
  assert.equal(verifyMessage('by its id', await byId.signMessage('by its id')), await byId.getAddress())
})

test('messages of text and of bytes are signed as ethers hashes them', async () => {
  for (const message of [
    'Hello, Claviger!',
    '',
    '0x1234',
    'ünïcödé ✍',
    new Uint8Array([0, 255]),
    new Uint8Array(300),
  ]) {
    assert.equal(verifyMessage(message, await signer.signMessage(message)), address)
  }
})

test('typed data with every kind of field are signed as ethers hashes them', async () => {
  const signature = await signer.signTypedData(domain, types, order)
  assert.equal(verifyTypedData(domain, types, order, signature), address)
  for (const some of [{}, { name: 'Only this' }, { chainId: 2n ** 60n }, { verifyingContract: CONTRACT }]) {
    const text = { Text: [{ name: 'text', type: 'string' }] }
    const signed = await signer.signTypedData(some, text, { text: 'Hello' })
    assert.equal(recoverAddress(TypedDataEncoder.hash(some, text, { text: 'Hello' }), signed), address)
  }
})

test('transactions of every type are signed, and come back with nothing changed', async () => {
  for (const [name, transaction] of Object.entries(transactions)) {
    const signed = Transaction.from(await signer.signTransaction({ ...transaction }))
    assert.deepEqual([signed.from, signed.isSigned()], [address, true], name)
    // A transaction of ethers takes no promises and no names; these have neither.
    const asked = Transaction.from(transaction as TransactionLike<string>)
    assert.equal(signed.unsignedSerialized, asked.unsignedSerialized, name)
    assert.equal(signed.type, transaction.type, name)
  }
})

test('a transaction that carries authorizations of another signer is signed', async () => {
  const other = Wallet.createRandom()
  const authorization = await other.authorize({ address: CONTRACT, nonce: 7, chainId: 1 })
  const asked = {
    type: 4,
    chainId: 1,
    nonce: 6,
    ...fees,
    gasLimit: 100_000,
    to: address,
    authorizationList: [authorization],
  }
  const signed = Transaction.from(await signer.signTransaction({ ...asked }))
  assert.equal(signed.from, address)
  const [carried] = present(signed.authorizationList, 'the authorizations')
  assert.equal(
    verifyAuthorization(present(carried, 'the first'), present(carried, 'the first').signature),
    other.address,
  )
})

test('the sender may be named when it is the signer, and nothing is signed for another', async () => {
  const { eip1559 } = transactions
  const signed = Transaction.from(await signer.signTransaction({ ...eip1559, from: address }))
  assert.equal(signed.from, address)
  await assert.rejects(signer.signTransaction({ ...eip1559, from: SOMEONE }), /`tx\.from` address mismatch/)
})

test('connected to a node, the signer fills in, signs and sends a transaction', async () => {
  const sent: string[] = []
  class Node extends JsonRpcProvider {
    override async send(method: string, params: unknown): Promise<unknown> {
      const answers: Readonly<Record<string, unknown>> = {
        eth_chainId: '0x1',
        eth_blockNumber: '0x10',
        eth_getTransactionCount: '0x2a',
        eth_estimateGas: '0x5208',
        eth_gasPrice: '0x3b9aca00',
        eth_maxPriorityFeePerGas: '0x1',
      }
      if (method === 'eth_getBlockByNumber') return null
      if (method !== 'eth_sendRawTransaction') return present(answers[method], method)
      const [raw] = params as [string]
      sent.push(raw)
      return Transaction.from(raw).hash
    }
  }
  const provider = new Node(undefined, Network.from(1), { staticNetwork: true })
  try {
    // The types of the package name the same class as CommonJS has it.
    const connected = signer.connect(provider as unknown as Parameters<TurnkeySigner['connect']>[0])
    await connected.sendTransaction({ ...transactions['eip1559'], nonce: null, gasLimit: null, data: '0x' })
    const [raw] = sent
    const signed = Transaction.from(present(raw, 'what was sent'))
    assert.deepEqual([signed.from, signed.nonce, signed.gasLimit], [address, 42, 21_000n])
  } finally {
    provider.destroy()
  }
})

test('a refusal is an error of the library that says why, and a policy that sees the transaction lifts it', async () => {
  const eve = await setting.user(root, 'Eve')
  const hers = signerOf(eve, address)
  const pay = async (value: number) =>
    await hers.signTransaction({ ...transactions['eip1559'], to: SOMEONE, value })
  const refused = {
    name: 'TurnkeyActivityError',
    message: /^Failed to sign: Turnkey error 7: You don't have/,
  }
  await assert.rejects(pay(100), refused)
  const { activity } = await root.client.createPolicy(
    root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Eve pays up to 100',
      effect: 'EFFECT_ALLOW',
      consensus: `approvers.any(user, user.id == '${eve.userId}')`,
      condition: `eth.tx.to == '${SOMEONE}' && eth.tx.value <= 100`,
      notes: '',
    }),
  )
  assertActivityCompleted(activity)
  assert.equal(Transaction.from(await pay(100)).from, address)
  await assert.rejects(pay(101), refused)
  await assert.rejects(hers.signMessage('anything'), refused)
})

test('what waits for others is an error of the library that says so', async () => {
  const [first, second] = await setting.subOrganization('Of two', ['First', 'Second'], 2)
  const [ada, bob] = [present(first, 'the first'), present(second, 'the second')]
  const asked = await ada.client.createWallet(
    ada.activity('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Joint', accounts: [ethereumAccount] }),
  )
  const { fingerprint } = asked.activity
  const { activity } = await bob.client.approveActivity(
    bob.activity('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }),
  )
  const joint = signerOf(ada, present(activity.result.createWalletResult?.addresses[0], 'the address'))
  const waits = {
    name: 'TurnkeyActivityConsensusNeededError',
    activityStatus: 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  }
  await assert.rejects(joint.signTransaction({ ...transactions['eip1559'] }), waits)
  await assert.rejects(joint.signMessage('joint'), waits)
  await assert.rejects(joint.signTypedData(domain, types, order), waits)
})

test('the client of the server kit signs as well', async () => {
  const { Turnkey } = await sdkServer()
  const client = new Turnkey({
    apiBaseUrl: setting.service.url,
    apiPublicKey: root.publicKey,
    apiPrivateKey: root.privateKey,
    defaultOrganizationId: root.organizationId,
  }).apiClient()
  const other = signerOf({ client, organizationId: root.organizationId }, address)
  assert.equal(Transaction.from(await other.signTransaction({ ...transactions['eip1559'] })).from, address)
  assert.equal(verifyMessage('as well', await other.signMessage('as well')), address)
})

type Client = ConstructorParameters<typeof TurnkeySigner>[0]['client']

function signerOf(by: { client: object; organizationId: string }, signWith: string): TurnkeySigner {
  const { organizationId } = by
  // The package brings older clients, which are other classes with the same methods.
  return new TurnkeySigner({ client: by.client as Client, organizationId, signWith })
}
