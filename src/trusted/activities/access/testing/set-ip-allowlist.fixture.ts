import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

// The example would shut this test out, which comes from a loopback address.
export const fixture: Fixture = ({ example }) => ({
  parameters: { ...example, rules: [...example.rules, { cidr: '127.0.0.0/20' }] },
})
