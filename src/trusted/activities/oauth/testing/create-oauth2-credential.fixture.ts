import { encryptedClientSecret } from '../../../../../test/behaviour/identities.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async ({ example }) => ({
  parameters: { ...example, encryptedClientSecret: await encryptedClientSecret() },
})
