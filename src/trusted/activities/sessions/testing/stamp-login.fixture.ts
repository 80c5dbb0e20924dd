import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = ({ service, example }) => ({
  parameters: { ...example, publicKey: service.newKey().publicKey },
})
