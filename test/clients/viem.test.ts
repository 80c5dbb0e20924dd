import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { assertActivityCompleted } from '@turnkey/http'
import {
  createAccount,
  isTurnkeyActivityConsensusNeededError,
  isTurnkeyActivityError,
  TurnkeyActivityError,
  TurnkeyConsensusNeededError,
} from '@turnkey/viem'
import {
  createWalletClient,
  custom,
  type Hex,
  keccak256,
  type LocalAccount,
  parseTransaction,
  recoverAddress,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  serializeTransaction,
  toHex,
} from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { mainnet } from 'viem/chains'
import { recoverAuthorizationAddress } from 'viem/utils'
import { Transaction as TempoTransaction } from 'viem/tempo'
import { present } from '../../src/trusted/base/assert.ts'
import {
  blobTransaction,
  CONTRACT,
  fees,
  mail,
  order,
  sidecar,
  SOMEONE,
  transactions,
} from './ethereum-samples.ts'
import { ethereumAccount, newAddress } from './new-wallet.ts'
import { sdkServer } from './sdk-server.ts'
import { aSetting, type Stranger } from './setting.ts'

// The published @turnkey/viem: an account of viem whose key is an account of a wallet here.
const setting = await aSetting()
after(() => setting.service.kill())
const { root } = setting
const address = await newAddress(root, ethereumAccount)
const account = await accountOf(root, address)

type Serialized = Parameters<typeof recoverTransactionAddress>[0]

async function accountOf({ client, organizationId }: Stranger, signWith: string): Promise<LocalAccount> {
  // The package brings an older @turnkey/http, whose client is another class with the same methods.
  const olderClient = client as unknown as Parameters<typeof createAccount>[0]['client']
  return await createAccount({ client: olderClient, organizationId, signWith })
}

test('an account of a wallet is an account of viem, by its address as well as by the id of a private key', async () => {
  const { accounts } = await root.client.getWalletAccounts({ organizationId: root.organizationId })
  const kept = accounts.find((item) => item.address === address)
  const publicKey = secp256k1.Point.fromHex(present(kept?.publicKey, 'its public key')).toHex(false)
  assert.equal(publicKeyToAddress(`0x${publicKey}`), account.address)
  assert.deepEqual([account.address, account.type, account.source], [address, 'local', 'custom'])

  const { activity } = await root.client.createPrivateKeys(
    root.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [
        {
          privateKeyName: 'By its id',
          curve: 'CURVE_SECP256K1',
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_COMPRESSED', 'ADDRESS_FORMAT_ETHEREUM'],
        },
      ],
    }),
  )
  const made = present(activity.result.createPrivateKeysResultV2?.privateKeys[0], 'the key')
  const byId = await accountOf(root, present(made.privateKeyId, 'its id'))
  assert.ok(made.addresses?.some((item) => item.address === byId.address))
  const signature = await byId.signMessage({ message: 'by its id' })
  assert.equal(await recoverMessageAddress({ message: 'by its id', signature }), byId.address)
})

test('a digest and messages of text and of bytes are signed as viem hashes them', async () => {
  for (const message of [
    'Hello, Claviger!',
    '',
    'ünïcödé ✍',
    { raw: '0x00ff' },
    { raw: new Uint8Array(200) },
  ] as const) {
    const signature = await account.signMessage({ message })
    assert.equal(await recoverMessageAddress({ message, signature }), address)
  }
  const hash = `0x${'5a'.repeat(32)}` as const
  const signature = await present(account.sign, 'it signs digests')({ hash })
  assert.equal(await recoverAddress({ hash, signature }), address)
})

test('typed data with every kind of field are signed as viem hashes them', async () => {
  const signature = await account.signTypedData(order)
  assert.equal(await recoverTypedDataAddress({ ...order, signature }), address)
})

test('through a wallet client, the type of the domain may be left to viem, and a transaction is sent signed', async () => {
  const sent: unknown[] = []
  const transport = custom({
    request: async ({ method, params }) => {
      if (method === 'eth_chainId') return '0x1'
      assert.equal(method, 'eth_sendRawTransaction')
      sent.push(params)
      return `0x${'00'.repeat(32)}`
    },
  })
  const client = createWalletClient({ account, chain: mainnet, transport })
  const { EIP712Domain: _derived, ...types } = order.types
  const signature = await client.signTypedData({ ...order, types })
  assert.equal(await recoverTypedDataAddress({ ...order, signature }), address)

  const request = { ...fees, type: 'eip1559', nonce: 9, to: SOMEONE, value: 1n, gas: 21_000n } as const
  await client.sendTransaction(request)
  const [[serializedTransaction]] = sent as [[`0x02${string}`]]
  assert.equal(await recoverTransactionAddress({ serializedTransaction } as Serialized), address)
})

test('transactions of every type are signed, and come back with nothing changed', async () => {
  for (const [name, transaction] of Object.entries(transactions)) {
    const serializedTransaction = await account.signTransaction(transaction)
    assert.equal(await recoverTransactionAddress({ serializedTransaction } as Serialized), address, name)
    // Nothing that was not asked for is in it, and nothing that was is missing: without the signature it is the same
    // text.
    const { r: _r, s: _s, v: _v, yParity: _y, ...parsed } = parseTransaction(serializedTransaction)
    assert.equal(serializeTransaction(parsed), serializeTransaction(transaction), name)
  }
})

test('a transaction with blobs is signed without them, and put together with them again', async () => {
  const serializedTransaction = await account.signTransaction(blobTransaction)
  const parsed = parseTransaction(serializedTransaction)
  assert.deepEqual(parsed.sidecars, [sidecar])
  assert.deepEqual(parsed.blobVersionedHashes, blobTransaction.blobVersionedHashes)
  assert.equal(await recoverTransactionAddress({ serializedTransaction } as Serialized), address)
})

test('an authorization is signed for its own account, and carried in a transaction that is signed', async () => {
  const sign = present(account.signAuthorization, 'it signs authorizations')
  for (const [chainId, nonce] of [
    [1, 0],
    [0, 7],
    [8453, 2 ** 40],
  ] as const) {
    const authorization = await sign({ address: CONTRACT, chainId, nonce })
    assert.equal(await recoverAuthorizationAddress({ authorization }), address)
    const transaction = { ...fees, type: 'eip7702', chainId: 1, to: account.address, gas: 100_000n } as const
    const serializedTransaction = await account.signTransaction({
      ...transaction,
      authorizationList: [authorization],
    })
    assert.equal(await recoverTransactionAddress({ serializedTransaction } as Serialized), address)
    const carried = present(
      parseTransaction(serializedTransaction).authorizationList?.[0],
      'the authorization',
    )
    assert.equal(await recoverAuthorizationAddress({ authorization: carried }), address)
  }
})

test('a transaction of Tempo is known by its first byte, and signed as one', async () => {
  const transaction = {
    chainId: 42_431,
    nonce: 3,
    gas: 100_000n,
    maxFeePerGas: 20n,
    maxPriorityFeePerGas: 1n,
    feeToken: '0x20c0000000000000000000000000000000000001',
    validBefore: 2_000_000_000,
    calls: [
      { to: CONTRACT, data: '0xa9059cbb' },
      { to: SOMEONE, data: '0x' },
    ],
  } as const
  const signed = await account.signTransaction(transaction, { serializer: TempoTransaction.serialize })
  assert.match(signed, /^0x76/)
  const read = TempoTransaction.deserialize(signed as `0x76${string}`)
  const { signature } = read
  assert.ok(signature?.type === 'secp256k1')
  const { r, s, yParity } = signature.signature
  const hash = keccak256(await TempoTransaction.serialize(transaction))
  assert.equal(
    await recoverAddress({
      hash,
      signature: { r: toHex(r, { size: 32 }), s: toHex(s, { size: 32 }), yParity },
    }),
    address,
  )
  const unsigned = { ...read, signature: undefined, from: undefined }
  assert.equal(
    await TempoTransaction.serialize(unsigned as typeof read),
    await TempoTransaction.serialize(transaction),
  )
})

test('what policies allow is signed, and what they refuse is an error of the library that says so', async () => {
  const eve = await setting.user(root, 'Eve')
  const hers = await accountOf(eve, address)
  const to = (recipient: Hex) => hers.signTransaction({ ...transactions.eip1559, to: recipient })
  const refused = (thrown: unknown) => {
    assert.ok(thrown instanceof TurnkeyActivityError)
    assert.ok(isTurnkeyActivityError(thrown))
    assert.match(thrown.message, /^Failed to sign: Turnkey error 7: You don't have sufficient permissions/)
    return true
  }
  await assert.rejects(to(SOMEONE), refused)
  // Two of them: a policy about transactions has no value for anything else.
  for (const condition of [`eth.tx.to == '${SOMEONE}'`, "eth.eip_712.primary_type == 'Order'"]) {
    const { activity } = await root.client.createPolicy(
      root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
        policyName: `Eve signs where ${condition}`,
        effect: 'EFFECT_ALLOW',
        consensus: `approvers.any(user, user.id == '${eve.userId}')`,
        condition,
        notes: '',
      }),
    )
    assertActivityCompleted(activity)
  }
  const serializedTransaction = await to(SOMEONE)
  assert.equal(await recoverTransactionAddress({ serializedTransaction } as Serialized), address)
  const signature = await hers.signTypedData(order)
  assert.equal(await recoverTypedDataAddress({ ...order, signature }), address)
  await assert.rejects(to(CONTRACT), refused)
  await assert.rejects(hers.signMessage({ message: 'anything' }), refused)
  await assert.rejects(hers.signTypedData(mail), refused)
})

test('what cannot be signed is an error of the library with the words of the service', async () => {
  const missing = await accountOf(root, SOMEONE)
  await assert.rejects(missing.signMessage({ message: 'no' }), {
    name: 'TurnkeyActivityError',
    message: /Turnkey error 5: Could not find any resource to sign with\. Addresses are case sensitive\./,
  })
  await assert.rejects(
    account.signTransaction({ ...transactions.eip1559, maxFeePerGas: 2n ** 250n, gas: 2n ** 60n }),
    {
      name: 'TurnkeyActivityError',
      message: /Turnkey error 3: /,
    },
  )
})

test('what waits for others is the error of the library that says so, and is signed once they approve', async () => {
  const [first, second] = await setting.subOrganization('Of two', ['First', 'Second'], 2)
  const [ada, bob] = [present(first, 'the first'), present(second, 'the second')]
  const wallet = await ada.client.createWallet(
    ada.activity('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Joint', accounts: [ethereumAccount] }),
  )
  const approve = async (fingerprint: string) => {
    const { activity } = await bob.client.approveActivity(
      bob.activity('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }),
    )
    assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED')
    return activity.result
  }
  const made = await approve(wallet.activity.fingerprint)
  const joint = await accountOf(ada, present(made.createWalletResult?.addresses[0], 'the address'))

  const signings = [
    () => joint.signTransaction(transactions.legacy),
    () => joint.signMessage({ message: 'joint' }),
    () => joint.signTypedData(order),
  ]
  const ids: string[] = []
  for (const sign of signings) {
    await assert.rejects(sign(), (thrown) => {
      assert.ok(thrown instanceof TurnkeyConsensusNeededError)
      assert.ok(isTurnkeyActivityConsensusNeededError(thrown))
      assert.equal(thrown.activityStatus, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
      ids.push(present(thrown.activityId, 'the activity'))
      return true
    })
  }
  const { organizationId } = ada
  const activityId = present(ids[0], 'the transaction')
  const { activity } = await bob.client.getActivity({ organizationId, activityId })
  const signed = (await approve(activity.fingerprint)).signTransactionResult?.signedTransaction
  const serializedTransaction = `0x${present(signed, 'signed')}` as const
  assert.equal(await recoverTransactionAddress({ serializedTransaction } as Serialized), joint.address)
})

test('the client of the server kit signs as well', async () => {
  const { Turnkey } = await sdkServer()
  const client = new Turnkey({
    apiBaseUrl: setting.service.url,
    apiPublicKey: root.publicKey,
    apiPrivateKey: root.privateKey,
    defaultOrganizationId: root.organizationId,
  }).apiClient()
  const { organizationId } = root
  const other = await createAccount({ client, organizationId, signWith: address })
  const serializedTransaction = await other.signTransaction(transactions.eip1559)
  assert.equal(await recoverTransactionAddress({ serializedTransaction } as Serialized), address)
  const signature = await other.signMessage({ message: 'as well' })
  assert.equal(await recoverMessageAddress({ message: 'as well', signature }), address)
})
