import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { assertActivityCompleted } from '@turnkey/http'
import { TurnkeySigner } from '@turnkey/solana'
import { present } from '../../src/trusted/base/assert.ts'
import { newAddress, newWallet, solanaAccount } from './new-wallet.ts'
import { sdkServer } from './sdk-server.ts'
import { aSetting } from './setting.ts'

// The published @turnkey/solana: it puts signatures of accounts of a wallet here into transactions of @solana/web3.js.
const setting = await aSetting()
after(() => setting.service.kill())
const { root } = setting
const address = await newAddress(root, solanaAccount)
const owner = new PublicKey(address)
const signer = signerOf(root)

const SOMEONE = new PublicKey('GsbwXfJraMomNxBcjYLcG3mxkBUiyWXAB32fGbSMQRdW')
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const BLOCKHASH = 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k'

const transfer = (lamports = 1000) =>
  SystemProgram.transfer({ fromPubkey: owner, toPubkey: SOMEONE, lamports })
const memo = (text: string) =>
  new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from(text) })

const shapes: Readonly<Record<string, () => Transaction | VersionedTransaction>> = {
  'a legacy message': () => legacy(transfer()),
  'a legacy message of many instructions': () =>
    legacy(ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }), transfer(), memo('ünïcödé')),
  'a legacy message in a versioned transaction': () =>
    new VersionedTransaction(message([transfer()]).compileToLegacyMessage()),
  'a message of version 0': () => new VersionedTransaction(message([transfer(2)]).compileToV0Message()),
  'a message of version 0 with a lookup table': () =>
    new VersionedTransaction(message([transfer(3), memo('found')]).compileToV0Message([lookupTable()])),
}

test('the address of an account is its public key', async () => {
  const { accounts } = await root.client.getWalletAccounts({ organizationId: root.organizationId })
  const kept = accounts.find((account) => account.address === address)
  assert.equal(kept?.publicKey, Buffer.from(owner.toBytes()).toString('hex'))
  assert.ok(PublicKey.isOnCurve(owner.toBytes()))
})

for (const [name, made] of Object.entries(shapes)) {
  test(`${name} gets its signature added`, async () => {
    const transaction = made()
    await signer.addSignature(transaction, address)
    assert.ok(isSigned(transaction))
  })

  test(`${name} is signed as a transaction that the service reads, and comes back with nothing else changed`, async () => {
    const transaction = made()
    const signed = await signer.signTransaction(transaction, address)
    assert.equal(signed.constructor, transaction.constructor)
    assert.deepEqual(messageOf(signed), messageOf(transaction))
    assert.ok(isSigned(signed))
  })
}

test('many transactions of both kinds are signed in one activity, each with its own signature', async () => {
  const all = [...Object.values(shapes), ...Object.values(shapes)].map((made) => made())
  const signed = await signer.signAllTransactions(all, address)
  assert.equal(signed.length, all.length)
  for (const transaction of signed) assert.ok(isSigned(transaction))
})

test('messages of any bytes are signed as they are', async () => {
  // None of them can be taken for a transaction.
  for (const bytes of [
    new TextEncoder().encode('Hello, Claviger!'),
    new Uint8Array(1),
    new Uint8Array(2000).fill(0xff),
  ]) {
    const signature = await signer.signMessage(bytes, address)
    assert.equal(signature.length, 64)
    assert.ok(ed25519.verify(signature, bytes, owner.toBytes()))
  }
})

test('a transaction for two signers keeps the signature of the other, in either order', async () => {
  const other = Keypair.generate()
  const pays = SystemProgram.transfer({ fromPubkey: other.publicKey, toPubkey: owner, lamports: 1 })
  const versioned = () => new VersionedTransaction(message([transfer(), pays]).compileToV0Message())

  const signedFirst = versioned()
  signedFirst.sign([other])
  const then = await signer.signTransaction(signedFirst, address)
  assert.ok(isSigned(then) && isSigned(then, other.publicKey))

  const signedLast = await signer.signTransaction(versioned(), address)
  assert.ok(signedLast instanceof VersionedTransaction)
  signedLast.sign([other])
  assert.ok(isSigned(signedLast) && isSigned(signedLast, other.publicKey))

  const old = legacy(transfer(), pays)
  old.partialSign(other)
  const both = await signer.signTransaction(old, address)
  assert.ok(both instanceof Transaction && both.verifySignatures())
})

test('two accounts of one wallet sign one transaction together', async () => {
  const paths = ["m/44'/501'/1'/0'", "m/44'/501'/2'/0'"]
  const { addresses } = await newWallet(
    root,
    paths.map((path) => ({ ...solanaAccount, path })),
  )
  const [payer = '', second = ''] = addresses
  const instructions = addresses.map((from) =>
    SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: SOMEONE, lamports: 5 }),
  )
  const half = await signer.signTransaction(legacy(...instructions, payer), payer)
  const whole = await signer.signTransaction(half, second)
  assert.ok(whole instanceof Transaction && whole.verifySignatures())
})

test('nothing is signed for an account that is no signer of the transaction, and the error says so', async () => {
  const stranger = Keypair.generate().publicKey
  const others = new TransactionMessage({
    payerKey: stranger,
    recentBlockhash: BLOCKHASH,
    instructions: [SystemProgram.transfer({ fromPubkey: stranger, toPubkey: owner, lamports: 1 })],
  })
  await assert.rejects(
    signer.signTransaction(new VersionedTransaction(others.compileToV0Message()), address),
    {
      name: 'TurnkeyRequestError',
      message: /Turnkey error 3: .*is not one of its required signers/,
    },
  )
})

test('a policy that sees the transfers decides alike about a transaction, and about its message sent as raw bytes', async () => {
  const eve = await setting.user(root, 'Eve')
  const hers = signerOf(eve)
  const { activity } = await root.client.createPolicy(
    root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Eve pays up to 100',
      effect: 'EFFECT_ALLOW',
      consensus: `approvers.any(user, user.id == '${eve.userId}')`,
      condition: `solana.tx.transfers.all(t, t.to == '${SOMEONE.toBase58()}' && t.amount <= 100) && solana.tx.instructions.count() == 1`,
      notes: '',
    }),
  )
  assertActivityCompleted(activity)
  const refused = {
    name: 'TurnkeyRequestError',
    message: /^Turnkey error 7: You don't have sufficient permissions/,
  }
  for (const made of [
    (lamports: number) => legacy(transfer(lamports)),
    (lamports: number) => new VersionedTransaction(message([transfer(lamports)]).compileToV0Message()),
  ]) {
    assert.ok(isSigned(await hers.signTransaction(made(100), address)))
    const added = made(100)
    await hers.addSignature(added, address)
    assert.ok(isSigned(added))
    await assert.rejects(hers.signTransaction(made(101), address), refused)
    await assert.rejects(hers.addSignature(made(101), address), refused)
    await assert.rejects(hers.signAllTransactions([made(100), made(101)], address), refused)
  }
  await assert.rejects(hers.signMessage(new TextEncoder().encode('anything'), address), refused)
})

test('what waits for others is an error of the library that says so', async () => {
  const [first, second] = await setting.subOrganization('Of two', ['First', 'Second'], 2)
  const [ada, bob] = [present(first, 'the first'), present(second, 'the second')]
  const asked = await ada.client.createWallet(
    ada.activity('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Joint', accounts: [solanaAccount] }),
  )
  const { fingerprint } = asked.activity
  const { activity } = await bob.client.approveActivity(
    bob.activity('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }),
  )
  const joint = present(activity.result.createWalletResult?.addresses[0], 'the address')
  const payerKey = new PublicKey(joint)
  const transaction = legacy(
    SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: SOMEONE, lamports: 1 }),
    joint,
  )
  const waits = {
    name: 'TurnkeyActivityConsensusNeededError',
    activityStatus: 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  }
  const theirs = signerOf(ada)
  await assert.rejects(theirs.signTransaction(transaction, joint), waits)
  await assert.rejects(theirs.addSignature(transaction, joint), waits)
  await assert.rejects(theirs.signAllTransactions([transaction], joint), waits)
  await assert.rejects(theirs.signMessage(new Uint8Array(1), joint), waits)
})

test('the client of the server kit signs as well', async () => {
  const { Turnkey } = await sdkServer()
  const client = new Turnkey({
    apiBaseUrl: setting.service.url,
    apiPublicKey: root.publicKey,
    apiPrivateKey: root.privateKey,
    defaultOrganizationId: root.organizationId,
  }).apiClient()
  const other = signerOf({ client, organizationId: root.organizationId })
  assert.ok(isSigned(await other.signTransaction(legacy(transfer()), address)))
  const all = Object.values(shapes).map((made) => made())
  for (const transaction of await other.signAllTransactions(all, address)) assert.ok(isSigned(transaction))
})

function message(instructions: TransactionInstruction[]): TransactionMessage {
  return new TransactionMessage({ payerKey: owner, recentBlockhash: BLOCKHASH, instructions })
}

/** Instructions, and after them the payer where it is not the account of this test. */
function legacy(...parts: (TransactionInstruction | string)[]): Transaction {
  const payer = parts.find((part) => typeof part === 'string')
  const instructions = parts.filter((part) => typeof part !== 'string')
  const feePayer = payer === undefined ? owner : new PublicKey(payer)
  return new Transaction({ feePayer, recentBlockhash: BLOCKHASH }).add(...instructions)
}

function lookupTable(): AddressLookupTableAccount {
  return new AddressLookupTableAccount({
    key: MEMO,
    state: {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: [MEMO, SOMEONE],
    },
  })
}

function messageOf(transaction: Transaction | VersionedTransaction): Uint8Array {
  return new Uint8Array(
    transaction instanceof Transaction ? transaction.serializeMessage() : transaction.message.serialize(),
  )
}

/** Whether the signature of a signer is in its place and good, judged by a library the service does not sign with. */
function isSigned(transaction: Transaction | VersionedTransaction, by = owner): boolean {
  const signature =
    transaction instanceof Transaction
      ? transaction.signatures.find(({ publicKey }) => publicKey.equals(by))?.signature
      : transaction.signatures[transaction.message.staticAccountKeys.findIndex((key) => key.equals(by))]
  return ed25519.verify(present(signature ?? undefined, 'a signature'), messageOf(transaction), by.toBytes())
}

type Client = ConstructorParameters<typeof TurnkeySigner>[0]['client']

function signerOf({ client, organizationId }: { client: object; organizationId: string }): TurnkeySigner {
  // The package brings older clients, which are other classes with the same methods.
  return new TurnkeySigner({ client: client as Client, organizationId })
}
