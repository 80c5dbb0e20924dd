import { aPrivateKey } from '../../../../../test/behaviour/things.ts'
import { transactionOf } from '../../../../../test/cost/dear-inputs.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = async (setting) => {
  const { privateKeyId } = await aPrivateKey(setting)
  const { privateKey } = (await setting.service.query(setting.by, 'get_private_key', { privateKeyId })).json
  return {
    parameters: {
      signWith: privateKeyId,
      type: 'TRANSACTION_TYPE_BITCOIN',
      unsignedTransaction: transactionOf(privateKey.publicKey, 'pkh'),
    },
  }
}
