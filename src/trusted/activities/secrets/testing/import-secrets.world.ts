import { anEncryptedSecret } from '../../../../../test/behaviour/secret-things.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const encrypted = await anEncryptedSecret(setting, 'a sentence that nobody guesses')
  return { parameters: { secrets: [{ ...setting.example.secrets[0], ...encrypted }] } }
}
