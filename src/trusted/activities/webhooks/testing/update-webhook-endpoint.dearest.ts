import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

// The vault only reads the numbers; the store looks each of them up.
export const dearest: Fixture = async ({ service, by }) => {
  const { endpointId } = await service.done(by, 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', {
    url: 'https://example.com/hooks',
    name: 'Ledger',
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
  })
  const redeliver = Array.from({ length: 100 }, (_, at) => String(100_000_000_000_000 + at))
  return { parameters: { endpointId, redeliver } }
}
