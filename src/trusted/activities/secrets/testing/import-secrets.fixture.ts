import { anEncryptedSecret } from '../../../../../test/behaviour/secret-things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const encrypted = await anEncryptedSecret(setting, 'a sentence that nobody guesses')
  return { parameters: { secrets: [{ ...setting.example.secrets[0], ...encrypted }] } }
}
