import type { JsonAnswer, Member, TestService } from './service.ts'
import { serializeTransaction } from 'viem'

/** An organization in which two of Ada, Bob and the root user have to agree to everything that Ada or Bob ask for. */
type WithApprovals = {
  readonly service: TestService
  readonly ada: Member
  readonly bob: Member
  /** The address of a wallet of the organization. */
  readonly address: string
  /** What Ada asks for, and what waits for another approval. */
  readonly asks: (type: string, parameters: object) => Promise<JsonAnswer>
  /** The same, for a payment on Ethereum. */
  readonly asksPayment: (wei: bigint, to: string) => Promise<JsonAnswer>
  /** The activity as the service itself has it. */
  readonly get: (activityId: string) => Promise<JsonAnswer>
}

export async function withApprovals(service: TestService): Promise<WithApprovals> {
  const { root } = service
  const [ada, bob] = [await service.user('Ada'), await service.user('Bob')]
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two agree',
    effect: 'EFFECT_ALLOW',
    condition: 'true',
    consensus: 'approvers.count() >= 2',
    notes: '',
  })
  const path = "m/44'/60'/0'/0/0"
  const { addresses } = await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Treasury',
    accounts: [
      {
        curve: 'CURVE_SECP256K1',
        pathFormat: 'PATH_FORMAT_BIP32',
        path,
        addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
      },
    ],
  })
  const address = addresses[0] as string
  let nonce = 0
  const asks: WithApprovals['asks'] = async (type, parameters) => {
    service.world.advance(1)
    const { status, json, text } = await service.submit(ada, type, parameters)
    if (status !== 200 || json.activity.status !== 'ACTIVITY_STATUS_CONSENSUS_NEEDED') throw new Error(text)
    return json.activity
  }
  return {
    service,
    ada,
    bob,
    address,
    asks,
    asksPayment: async (wei, to) =>
      await asks('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
        signWith: address,
        type: 'TRANSACTION_TYPE_ETHEREUM',
        unsignedTransaction: serializeTransaction({
          type: 'eip1559',
          chainId: 1,
          nonce: nonce++,
          gas: 21_000n,
          maxFeePerGas: 10n ** 10n,
          maxPriorityFeePerGas: 1n,
          value: wei,
          to: to as `0x${string}`,
        }).slice(2),
      }),
    get: async (activityId) => (await service.query(ada, 'get_activity', { activityId })).json.activity,
  }
}
