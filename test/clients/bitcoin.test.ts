import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import * as btc from '@scure/btc-signer'
import { assertActivityCompleted, getSignatureFromActivity } from '@turnkey/http'
import { present } from '../../src/trusted/base/assert.ts'
import { newWallet, type WalletAccounts } from './new-wallet.ts'
import { aSetting, type Stranger } from './setting.ts'

// PSBTs that @scure/btc-signer builds, signed through the published client, and finalised and checked by
// @scure/btc-signer.
const setting = await aSetting()
after(() => setting.service.kill())
const { root } = setting

const SIGNET = { bech32: 'tb', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }
const REGTEST = { ...SIGNET, bech32: 'bcrt' }
const networks = { MAINNET: btc.NETWORK, TESTNET: btc.TEST_NETWORK, SIGNET, REGTEST } as const
type NetworkName = keyof typeof networks
type Network = (typeof networks)[NetworkName]

const paths = {
  P2PKH: "m/44'/0'/0'/0/0",
  P2SH: "m/49'/0'/0'/0/0",
  P2WPKH: "m/84'/0'/0'/0/0",
  P2WSH: "m/48'/0'/0'/2'/0/0",
  P2TR: "m/86'/0'/0'/0/0",
} as const
type Kind = keyof typeof paths
const kinds = Object.keys(paths) as Kind[] // the keys of the object above

/** One account of each kind. */
type Account = { readonly address: string; readonly publicKey: Uint8Array; readonly payment: Payment }
type Payment = ReturnType<typeof paymentTo>

const wallets = new Map<NetworkName, ReadonlyMap<Kind, Account>>()
for (const name of Object.keys(networks) as NetworkName[]) wallets.set(name, await accountsOn(name))
const mainnet = present(wallets.get('MAINNET'), 'made above')
const theirs = btc.p2wpkh(secp256k1.getPublicKey(new Uint8Array(32).fill(7)))
const FEE = 1_000n

for (const [name, accounts] of wallets) {
  test(`the addresses on ${name} are those of btc-signer for the public keys of the accounts`, () => {
    for (const [kind, { address, payment }] of accounts) assert.equal(address, payment.address, kind)
  })

  for (const [kind, account] of accounts) {
    test(`a PSBT that spends ${kind} on ${name} is signed, finalised, and every signature is good`, async () => {
      const asked = psbtOf([account.payment, account.payment])
      const signed = await sign(root, account.address, asked)
      assert.equal(signed.id, asked.id)
      assert.ok([0, 1].every((input) => isGoodlySigned(signed, input, kind, account)))
      signed.finalize()
      const sent = btc.Transaction.fromRaw(signed.extract(), { allowUnknownInputs: true })
      assert.deepEqual([sent.id, sent.inputsLength, sent.isFinal], [signed.id, 2, true])
    })
  }
}

test('a PSBT of many owners is signed by one after the other, each only its own inputs', async () => {
  let psbt = psbtOf([...mainnet.values()].map(({ payment }) => payment))
  for (const [at, kind] of kinds.entries()) {
    psbt = await sign(root, present(mainnet.get(kind), kind).address, psbt)
    const signed = kinds.map((_, input) => hasSignature(psbt, input))
    assert.deepEqual(
      signed,
      kinds.map((_, input) => input <= at),
    )
  }
  for (const [input, kind] of kinds.entries()) {
    assert.ok(isGoodlySigned(psbt, input, kind, present(mainnet.get(kind), kind)), kind)
  }
  psbt.finalize()
  assert.equal(psbt.fee, FEE)
  assert.equal(btc.Transaction.fromRaw(psbt.extract()).inputsLength, kinds.length)
})

test('a PSBT of which no input belongs to the account is refused, and so is what is no PSBT', async () => {
  const { address } = present(mainnet.get('P2WPKH'), 'made above')
  const other = present(mainnet.get('P2TR'), 'made above')
  await assert.rejects(sign(root, address, psbtOf([other.payment])), {
    name: 'TurnkeyRequestError',
    message: /^Turnkey error 3: /,
  })
  await assert.rejects(
    signHex(root, address, '70736274ff00'),
    /^TurnkeyRequestError: Turnkey error 3: failed to parse transaction/,
  )
})

test('a policy that sees outputs and fee lets through only what pays as it says', async () => {
  const eve = await setting.user(root, 'Eve')
  const account = present(mainnet.get('P2WPKH'), 'made above')
  const { activity } = await root.client.createPolicy(
    root.activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Eve pays them',
      effect: 'EFFECT_ALLOW',
      consensus: `approvers.any(user, user.id == '${eve.userId}')`,
      condition: `bitcoin.tx.outputs.all(o, o.address == '${theirs.address}' && o.value <= 100000) && bitcoin.tx.fee <= ${FEE}`,
      notes: '',
    }),
  )
  assertActivityCompleted(activity)
  const refused = {
    name: 'TurnkeyRequestError',
    message: /^Turnkey error 7: You don't have sufficient permissions/,
  }
  const signed = await sign(eve, account.address, psbtOf([account.payment]))
  assert.ok(isGoodlySigned(signed, 0, 'P2WPKH', account))
  await assert.rejects(sign(eve, account.address, psbtOf([account.payment], { fee: FEE + 1n })), refused)
  await assert.rejects(
    sign(eve, account.address, psbtOf([account.payment], { to: account.payment })),
    refused,
  )
  const { address } = present(mainnet.get('P2TR'), 'made above')
  await assert.rejects(sign(eve, address, psbtOf([account.payment])), /Turnkey error 3: /)
})

test('a digest is signed with the tweaked key of a Taproot address, by BIP-340, and with ECDSA for all others', async () => {
  const digest = sha256(new TextEncoder().encode('a digest'))
  for (const [kind, { address, publicKey, payment }] of mainnet) {
    const { activity } = await root.client.signRawPayload(
      root.activity('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
        signWith: address,
        payload: hex(digest),
        encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
        hashFunction: 'HASH_FUNCTION_NO_OP',
      }),
    )
    const { r, s } = getSignatureFromActivity(activity)
    const signature = Buffer.from(r + s, 'hex')
    if (kind === 'P2TR') assert.ok(schnorr.verify(signature, digest, payment.script.subarray(2)))
    else assert.ok(secp256k1.verify(signature, digest, publicKey, { prehash: false, lowS: true }), kind)
  }
})

async function accountsOn(name: NetworkName): Promise<ReadonlyMap<Kind, Account>> {
  const { organizationId } = root
  const asked: WalletAccounts = kinds.map((kind) => ({
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: paths[kind],
    addressFormat: `ADDRESS_FORMAT_BITCOIN_${name}_${kind}`,
  }))
  const { walletId } = await newWallet(root, asked)
  const { accounts } = await root.client.getWalletAccounts({ organizationId, walletId })
  return new Map(
    kinds.map((kind) => {
      const found = accounts.find(({ addressFormat }) => addressFormat.endsWith(`_${kind}`))
      const { address, publicKey } = present(found, kind)
      const key = Uint8Array.from(Buffer.from(present(publicKey, 'its key'), 'hex'))
      return [kind, { address, publicKey: key, payment: paymentTo(kind, key, networks[name]) }]
    }),
  )
}

/** What stands behind an address of each kind: docs/decisions/bitcoin-scripts.md. */
function paymentTo(kind: Kind, publicKey: Uint8Array, network: Network) {
  switch (kind) {
    case 'P2PKH':
      return btc.p2pkh(publicKey, network)
    case 'P2SH':
      return btc.p2sh(btc.p2wpkh(publicKey, network), network)
    case 'P2WPKH':
      return btc.p2wpkh(publicKey, network)
    case 'P2WSH':
      return btc.p2wsh(btc.p2pk(publicKey, network), network)
    case 'P2TR':
      return btc.p2tr(publicKey.subarray(1), undefined, network)
  }
}

/**
 * Spends one output of 50,000 to each payment. A legacy one is shown by the transaction that it is of, others by
 * themselves.
 */
function psbtOf(payments: readonly Payment[], { fee = FEE, to = theirs as Payment } = {}): btc.Transaction {
  const amount = 50_000n
  const psbt = new btc.Transaction()
  for (const [index, payment] of payments.entries()) {
    const earlier = new btc.Transaction()
    earlier.addOutput({ script: payment.script, amount })
    earlier.addInput({
      txid: new Uint8Array(32).fill(index + 1),
      index: 0,
      finalScriptSig: Uint8Array.of(0x51),
    })
    psbt.addInput({
      ...payment,
      txid: earlier.id,
      index: 0,
      ...(payment.type === 'pkh'
        ? { nonWitnessUtxo: earlier.toBytes(true) }
        : { witnessUtxo: { script: payment.script, amount } }),
    })
  }
  psbt.addOutput({ script: to.script, amount: amount * BigInt(payments.length) - fee })
  return psbt
}

async function sign(by: Stranger, signWith: string, psbt: btc.Transaction): Promise<btc.Transaction> {
  const signed = await signHex(by, signWith, hex(psbt.toPSBT(0)))
  return btc.Transaction.fromPSBT(Buffer.from(signed, 'hex'))
}

async function signHex(by: Stranger, signWith: string, unsignedTransaction: string): Promise<string> {
  const { activity } = await by.client.signTransaction(
    by.activity('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith,
      type: 'TRANSACTION_TYPE_BITCOIN',
      unsignedTransaction,
    }),
  )
  assertActivityCompleted(activity)
  return present(activity.result.signTransactionResult?.signedTransaction, 'signed')
}

function hasSignature(psbt: btc.Transaction, input: number): boolean {
  const { partialSig, tapKeySig } = psbt.getInput(input)
  return partialSig !== undefined || tapKeySig !== undefined
}

/** Finalising does not look at signatures, so they are verified over the digests of btc-signer. */
function isGoodlySigned(
  psbt: btc.Transaction,
  input: number,
  kind: Kind,
  { publicKey, payment }: Account,
): boolean {
  const { partialSig, tapKeySig } = psbt.getInput(input)
  const all = btc.SigHash.ALL
  if (kind === 'P2TR') {
    const inputs = Array.from({ length: psbt.inputsLength }, (_, index) => spentOutput(psbt, index))
    const scripts = inputs.map(({ script }) => script)
    const amounts = inputs.map(({ amount }) => amount)
    const digest = psbt.preimageWitnessV1(input, scripts, btc.SigHash.DEFAULT, amounts)
    return schnorr.verify(present(tapKeySig, 'its signature'), digest, payment.script.subarray(2))
  }
  const [[key, signature]] = present(partialSig, 'its signature') as [[Uint8Array, Uint8Array]]
  assert.deepEqual([hex(key), signature.at(-1)], [hex(publicKey), all])
  const { script, amount } = spentOutput(psbt, input)
  const digest =
    kind === 'P2PKH'
      ? legacyDigest(psbt, input, script)
      : psbt.preimageWitnessV0(input, scriptCode(kind, publicKey, payment), all, amount)
  return secp256k1.verify(signature.subarray(0, -1), digest, publicKey, {
    prehash: false,
    lowS: true,
    format: 'der',
  })
}

/**
 * The digest from before BIP-143, which btc-signer keeps to itself: the transaction with the script in the one input.
 */
function legacyDigest(psbt: btc.Transaction, input: number, script: Uint8Array): Uint8Array {
  const { inputs, ...rest } = btc.RawTx.decode(psbt.unsignedTx)
  const bytes = btc.RawTx.encode({
    ...rest,
    inputs: inputs.map((structInput, index) => ({
      ...structInput,
      finalScriptSig: index === input ? script : new Uint8Array(),
    })),
  })
  return sha256(sha256(Buffer.concat([bytes, Uint8Array.of(btc.SigHash.ALL, 0, 0, 0)])))
}

/** BIP-143: what a key hash stands for, and else the script behind the script hash. */
function scriptCode(kind: Kind, publicKey: Uint8Array, payment: Payment): Uint8Array {
  if (kind !== 'P2WSH') return btc.p2pkh(publicKey).script
  return present('witnessScript' in payment ? payment.witnessScript : undefined, 'its script')
}

function spentOutput(psbt: btc.Transaction, input: number): { script: Uint8Array; amount: bigint } {
  const { witnessUtxo, nonWitnessUtxo, index } = psbt.getInput(input)
  const output = witnessUtxo ?? nonWitnessUtxo?.outputs[present(index, 'which output')]
  return present(output, 'what is spent')
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
