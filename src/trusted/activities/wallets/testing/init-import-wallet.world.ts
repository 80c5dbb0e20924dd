import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = ({ by }) => ({ parameters: { userId: by.userId } })
