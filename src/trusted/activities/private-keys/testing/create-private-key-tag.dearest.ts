import { manyKeys } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = async (setting) => ({
  parameters: { privateKeyTagName: 'All', privateKeyIds: await manyKeys(setting) },
})
