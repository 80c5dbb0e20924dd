import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = ({ service, example }) => ({
  parameters: { ...example, publicKey: service.newKey().publicKey },
})
