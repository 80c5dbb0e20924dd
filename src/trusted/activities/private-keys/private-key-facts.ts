import type { Opened } from '../../catalogue/objects.ts'
import { bool, type Facts, list, string, struct, type Vocabulary } from '../../policy/types.ts'
import type { PrivateKey } from '../../objects/private-key.ts'

/** The facts for policies about an activity that uses a private key. */
export const privateKeyNamespace: Vocabulary = {
  private_key: struct({ id: string, label: string, tags: list(string), imported: bool, exported: bool }),
}

/**
 * A key that does not exist has no facts: a rule that names it is then an error for an ALLOW, and does not match for a
 * DENY.
 */
export function privateKeyFacts([key]: readonly Opened<PrivateKey>[]): Facts {
  if (key === undefined) return {}
  const { privateKeyId, privateKeyName, privateKeyTags, imported, exported } = key.body
  return {
    private_key: { id: privateKeyId, label: privateKeyName, tags: privateKeyTags, imported, exported },
  }
}
