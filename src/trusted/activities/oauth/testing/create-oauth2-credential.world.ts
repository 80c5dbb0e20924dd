import { encryptedClientSecret } from '../../../../../test/behaviour/identities.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async ({ example }) => ({
  parameters: { ...example, encryptedClientSecret: await encryptedClientSecret() },
})
