import type { Opened } from '../../catalogue/objects.ts'
import { bool, type Facts, list, string, struct, type Vocabulary } from '../../policy/types.ts'
import type { PrivateKey } from '../../objects/private-key.ts'

/** What policies may name for an activity that uses a private key. */
export const privateKeyNamespace: Vocabulary = {
  private_key: struct({ id: string, label: string, tags: list(string), imported: bool, exported: bool }),
}

/** Of a key that is not there, policies see nothing: naming it is then an error for an ALLOW, and no match for a DENY. */
export function privateKeyFacts([key]: readonly Opened<PrivateKey>[]): Facts {
  if (key === undefined) return {}
  const { privateKeyId, privateKeyName, privateKeyTags, imported, exported } = key.body
  return {
    private_key: { id: privateKeyId, label: privateKeyName, tags: privateKeyTags, imported, exported },
  }
}
