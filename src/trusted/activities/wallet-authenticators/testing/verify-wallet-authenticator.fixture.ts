import type { Fixture } from '../../../../../test/behaviour/fixture.ts'
import { anEthereumWallet, signIn } from '../../../../../test/support/sign-in.ts'

export const fixture: Fixture = async ({ service }) => ({
  parameters: await signIn(service.world, anEthereumWallet(service.world)),
})
