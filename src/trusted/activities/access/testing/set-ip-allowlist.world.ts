import type { World } from '../../../../../test/behaviour/world.ts'

// The example would shut this test out, which comes from a loopback address.
export const world: World = ({ example }) => ({
  parameters: { ...example, rules: [...example.rules, { cidr: '127.0.0.0/20' }] },
})
