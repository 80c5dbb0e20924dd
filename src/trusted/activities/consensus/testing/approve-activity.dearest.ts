import { aWallet } from '../../../../../test/behaviour/things.ts'
import { manyPayloads } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = async (setting) => {
  const { service, by } = setting
  const { address } = await aWallet(setting)
  const second = await service.user('Second')
  await service.done(by, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', {
    threshold: 2,
    userIds: [by.userId, second.userId],
  })
  const waiting = await service.submit(by, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', manyPayloads(address))
  return { by: second, parameters: { fingerprint: waiting.json.activity.fingerprint } }
}
