import { aPolicy } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  await aPolicy(setting)
  return { parameters: { ...setting.example, name: 'eXist' } }
}
