import { manyKeys } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = async (setting) => ({
  parameters: { privateKeyIds: await manyKeys(setting), deleteWithoutExport: true },
})
