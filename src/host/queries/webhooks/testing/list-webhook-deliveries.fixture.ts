import { aTag } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

/** An event that nobody delivers here. */
export const fixture: Fixture = async (setting) => {
  const { endpointId } = await setting.service.done(setting.by, 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', {
    url: 'https://example.com/hooks',
    name: 'Ledger',
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
  })
  await aTag(setting, 'user')
  return { parameters: { ...setting.example, endpointId } }
}
