import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = ({ example }) => ({
  parameters: {
    ...example,
    smartContractInterface: JSON.stringify(
      Array.from({ length: 10_000 }, (_, at) => ({ name: `f${at.toString(36)}`, inputs: [] })),
    ),
  },
})
