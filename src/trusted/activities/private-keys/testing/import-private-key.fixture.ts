import { encryptedFor } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async ({ service, by, example }) => ({
  parameters: { ...example, userId: by.userId, encryptedBundle: await encryptedFor(service, by) },
})
