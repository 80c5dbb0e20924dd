import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = ({ example }) => ({
  parameters: {
    ...example,
    smartContractInterface: JSON.stringify(
      Array.from({ length: 10_000 }, (_, at) => ({ name: `f${at.toString(36)}`, inputs: [] })),
    ),
  },
})
