import { encryptedFor } from '../../../../../test/behaviour/things.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async ({ service, by, example }) => ({
  parameters: { ...example, userId: by.userId, encryptedBundle: await encryptedFor(service, by) },
})
