import type { World } from '../../../../../test/behaviour/world.ts'
import { anEthereumWallet, signIn } from '../../../../../test/support/sign-in.ts'

export const world: World = async ({ service }) => ({
  parameters: await signIn(service.world, anEthereumWallet(service.world)),
})
