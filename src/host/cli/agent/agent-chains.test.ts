import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check, hex } from '@scure/base'
import * as btc from '@scure/btc-signer'
import { PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import * as proto from '../../../trusted/chains/tron/testing/raw-data.ts'
import { withAgents } from './testing/with-agents.ts'

const { service, ran, agentCalled, fileOf } = await withAgents()
const { root } = service
after(() => service.close())

let drawn = 0

/** An unsigned payment of so much of the smallest unit from this account. */
type Pays = (from: string, publicKey: string, amount: bigint) => string

const solana: Pays = (from, _, amount) => {
  const transaction = new Transaction({
    feePayer: new PublicKey(from),
    // Each has a blockhash of its own: equal requests are one.
    recentBlockhash: new PublicKey(new Uint8Array(32).fill(++drawn)).toBase58(),
  })
  const toPubkey = new PublicKey(new Uint8Array(32).fill(9))
  transaction.add(SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey, lamports: amount }))
  return transaction.serialize({ requireAllSignatures: false }).toString('hex')
}

const bitcoin: Pays = (_, publicKey, amount) => {
  const own = btc.p2wpkh(hex.decode(publicKey))
  const transaction = new btc.Transaction()
  transaction.addInput({
    txid: new Uint8Array(32).fill(++drawn),
    index: 0,
    witnessUtxo: { script: own.script, amount: 10_000_000n },
  })
  transaction.addOutputAddress('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amount)
  transaction.addOutputAddress(own.address ?? '', 10_000_000n - amount - 1_000n)
  return hex.encode(transaction.toPSBT())
}

const tron: Pays = (from, _, amount) => {
  const owner = hex.encode(createBase58check(sha256).decode(from))
  const transfer = proto.concat(proto.bin(1, owner), proto.bin(2, proto.to), proto.int(3, amount))
  return hex.encode(proto.raw(proto.concat(proto.int(1, 1), proto.any('TransferContract', transfer))))
}

for (const [chain, units, type, pays] of [
  ['solana', 'lamports', 'TRANSACTION_TYPE_SOLANA', solana],
  ['bitcoin', 'sat', 'TRANSACTION_TYPE_BITCOIN', bitcoin],
  ['tron', 'sun', 'TRANSACTION_TYPE_TRON', tron],
] as const)
  test(`a payer on ${chain} pays within its limits of a transaction and of a day, and asks above them`, async () => {
    const limits = ['--chain', chain, '--per-transaction', `20000${units}`, '--daily', `50000${units}`]
    await ran(root, 'create', `strict-${chain}`, ...limits, '--yes')
    await ran(root, 'create', `asks-${chain}`, ...limits, '--ask-above', 'quorum', '--yes')
    const sign = async (name: string, amount: bigint) => {
      const by = agentCalled(name)
      const { ADDRESS: signWith = '', WALLET_ID: walletId } = fileOf(name)
      const { json } = await service.query(root, 'list_wallet_accounts', { walletId })
      service.world.advance(1)
      const unsignedTransaction = pays(signWith, json.accounts[0].publicKey, amount)
      const parameters = { signWith, type, unsignedTransaction }
      const answer = await service.submit(by, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters)
      return answer.status === 200
        ? answer.json.activity.status.replace('ACTIVITY_STATUS_', '')
        : answer.status
    }
    for (const [name, above] of [
      [`strict-${chain}`, 403],
      [`asks-${chain}`, 'CONSENSUS_NEEDED'],
    ] as const) {
      assert.equal(await sign(name, 20_001n), above)
      assert.equal(await sign(name, 20_000n), 'COMPLETED')
      assert.equal(await sign(name, 20_000n), 'COMPLETED')
      assert.equal(await sign(name, 10_001n), above)
      assert.equal(await sign(name, 10_000n), 'COMPLETED')
      assert.equal(await sign(name, 1_000n), above)
    }
  })
