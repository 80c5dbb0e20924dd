import { privateKeys } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = () => ({ parameters: { privateKeys: privateKeys(100) } })
