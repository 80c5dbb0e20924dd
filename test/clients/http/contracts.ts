import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertActivityCompleted } from '@turnkey/http'
import { Interface, Transaction } from 'ethers'
import { present } from '../../../src/trusted/base/assert.ts'
import { ethereumAccount, newAddress } from '../new-wallet.ts'
import type { Setting } from '../setting.ts'

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const SOMEONE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

export function contractFlows(setting: Setting): void {
  const { root } = setting
  const { client, activity, organizationId } = root

  test('with the interface of a contract, a policy sees what is called, and without it again nothing', async () => {
    const token = new Interface(['function transfer(address to, uint256 amount) returns (bool)'])
    const eve = await setting.user(root, 'Eve, who pays in tokens')
    const signWith = await newAddress(root, ethereumAccount)
    const { activity: allowed } = await client.createPolicy(
      activity('ACTIVITY_TYPE_CREATE_POLICY_V3', {
        policyName: 'Up to 100 tokens',
        effect: 'EFFECT_ALLOW',
        consensus: `approvers.any(user, user.id == '${eve.userId}')`,
        condition: `eth.tx.to == '${TOKEN}' && eth.tx.function_name == 'transfer' && eth.tx.contract_call_args['amount'] <= 100`,
        notes: '',
      }),
    )
    assertActivityCompleted(allowed)
    const pay = async (amount: number) => {
      const { unsignedSerialized } = Transaction.from({
        type: 2,
        chainId: 1,
        to: TOKEN,
        data: token.encodeFunctionData('transfer', [SOMEONE, amount]),
      })
      const { activity: signing } = await eve.client.signTransaction(
        eve.activity('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
          signWith,
          type: 'TRANSACTION_TYPE_ETHEREUM',
          unsignedTransaction: unsignedSerialized,
        }),
      )
      assertActivityCompleted(signing)
    }
    const refused = { name: 'TurnkeyRequestError', code: 7 }
    await assert.rejects(pay(100), refused)

    const created = await client.createSmartContractInterface(
      activity('ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE', {
        smartContractAddress: TOKEN,
        smartContractInterface: token.formatJson(),
        type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
        label: 'Token',
      }),
    )
    assertActivityCompleted(created.activity)
    const made = present(created.activity.result.createSmartContractInterfaceResult, 'the interface')
    const { smartContractInterfaceId } = made
    await pay(100)
    await assert.rejects(pay(101), refused)

    const { smartContractInterface } = await client.getSmartContractInterface({
      organizationId,
      smartContractInterfaceId,
    })
    assert.deepEqual(
      [smartContractInterface.label, smartContractInterface.smartContractAddress],
      ['Token', TOKEN],
    )
    const { smartContractInterfaces } = await client.getSmartContractInterfaces({ organizationId })
    assert.deepEqual(smartContractInterfaces, [smartContractInterface])

    await client.deleteSmartContractInterface(
      activity('ACTIVITY_TYPE_DELETE_SMART_CONTRACT_INTERFACE', { smartContractInterfaceId }),
    )
    await assert.rejects(pay(100), refused)
    const left = await client.getSmartContractInterfaces({ organizationId })
    assert.deepEqual(left.smartContractInterfaces, [])
  })
}
