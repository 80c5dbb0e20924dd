import assert from 'node:assert/strict'
import * as btc from '@scure/btc-signer'
import { Transaction } from 'viem/tempo'
import { any, bin, concat, int, owner, raw, to } from '../../src/trusted/chains/tron/testing/raw-data.ts'
import { signsTransaction } from './asks.ts'
import { allow, type Ask, decided, written } from './decision.ts'
import type { Organization } from './organization.ts'
import { shown } from './row.ts'

/** Rows 51 to 54: transactions of Bitcoin, Tron and Tempo. */
export const rowsOfOtherChains = [
  decided(51, 'recipients and fee of a PSBT are bounded', (o) => ({
    policies: [allow(`bitcoin.tx.outputs.all(o, o.address == '${PAYEE}') && bitcoin.tx.fee < 1000`)],
    requests: [
      { ask: signsPsbt(o, [pays(999n)]), comesTo: ['completed', 'ALLOW'] },
      { ask: signsPsbt(o, [pays(1000n)]), comesTo: ['denied', 'DENY_IMPLICIT'] },
      {
        ask: signsPsbt(o, [{ ...pays(5999n) }, { address: o.bitcoin, amount: 5000n }]),
        comesTo: ['denied', 'DENY_IMPLICIT'],
      },
    ],
  })),
  shown(52, 'an output without an address is refused before policies are asked', async (o) => {
    await written(o, [allow('true')])
    for (const by of [o.A, o.R]) {
      o.service.world.advance(1)
      const { type, parameters } = signsPsbt(o, [pays(999n), { script: OP_RETURN, amount: 0n }])
      const { status, json } = await o.service.submit(by, type, parameters)
      assert.deepEqual([status, json.code], [400, 3])
      assert.equal(
        json.message,
        'failed to extract bitcoin address from script with error: UnrecognizedScript',
      )
    }
  }),
  decided(53, 'kind and amount of a contract of Tron are bounded', (o) => ({
    policies: [
      allow("tron.tx.contract[0].type == 'TransferContract' && tron.tx.contract[0].amount <= 1000000"),
    ],
    requests: [
      { ask: sendsTrx(o, 1_000_000), comesTo: ['completed', 'ALLOW'] },
      { ask: sendsTrx(o, 2_000_000), comesTo: ['denied', 'DENY_IMPLICIT'] },
    ],
  })),
  decided(54, 'all calls of a transaction of Tempo are held to one function', async (o) => ({
    policies: [allow("tempo.tx.calls.all(c, c.function_signature == '0xa9059cbb')")],
    requests: [
      { ask: await callsOnTempo(o, '0xa9059cbb', '0xa9059cbb'), comesTo: ['completed', 'ALLOW'] },
      { ask: await callsOnTempo(o, '0xa9059cbb', '0x095ea7b3'), comesTo: ['denied', 'DENY_IMPLICIT'] },
    ],
  })),
]

const SPENT = 100_000n
const PAYEE = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' // BIP-173
const OP_RETURN = Uint8Array.of(0x6a, 2, 0x68, 0x69)

type Output = ({ readonly address: string } | { readonly script: Uint8Array }) & { readonly amount: bigint }

/** All that is spent, less the fee. */
function pays(fee: bigint): Output {
  return { address: PAYEE, amount: SPENT - fee }
}

function signsPsbt({ bitcoin }: Organization, outputs: readonly Output[]): Ask {
  const psbt = new btc.Transaction({ allowUnknownOutputs: true })
  psbt.addInput({
    txid: '11'.repeat(32),
    index: 0,
    witnessUtxo: { amount: SPENT, script: scriptOf(bitcoin) },
  })
  for (const output of outputs)
    psbt.addOutput({
      script: 'address' in output ? scriptOf(output.address) : output.script,
      amount: output.amount,
    })
  return signsTransaction(bitcoin, 'BITCOIN', psbt.toPSBT(0))
}

function scriptOf(address: string): Uint8Array {
  return btc.OutScript.encode(btc.Address().decode(address))
}

function sendsTrx({ tron }: Organization, sun: number): Ask {
  const value = concat(owner(), bin(2, to), int(3, sun))
  return signsTransaction(tron, 'TRON', raw(concat(int(1, 1), any('TransferContract', value))))
}

async function callsOnTempo({ E1 }: Organization, ...selectors: readonly `0x${string}`[]): Promise<Ask> {
  const transaction = await Transaction.serialize({
    chainId: 42_431,
    nonce: 0,
    gas: 60_000n,
    maxFeePerGas: 2000n,
    maxPriorityFeePerGas: 1000n,
    calls: selectors.map((selector) => ({
      to: '0x20c0000000000000000000000000000000000001' as const,
      data: `${selector}${'00'.repeat(64)}` as const,
    })),
  })
  return signsTransaction(E1, 'TEMPO', transaction)
}
