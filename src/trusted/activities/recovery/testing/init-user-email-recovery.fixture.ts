import { withMailedKeys } from '../../../../../test/behaviour/codes.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'
import { without } from '../../../../../test/behaviour/older-fields.ts'

export const fixture: Fixture = async (setting) => {
  await withMailedKeys(setting)
  const { example } = setting
  return {
    parameters: example,
    older: { ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY: without('emailCustomization')(example) },
  }
}
