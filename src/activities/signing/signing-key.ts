import { Bug } from '../../base/assert.ts'
import type { Gathered } from '../../catalogue/objects.ts'
import { bool, type Facts, list, string, struct, type Vocabulary } from '../../policy/types.ts'
import { keyToSignWith, nothingToSignWith, type PrivateKey } from '../private-keys/private-key.ts'
import type { ObjectsNeed, Opened } from '../../catalogue/objects.ts'

export type SigningNeeds = { readonly key: ObjectsNeed<PrivateKey> }

/** What policies may name for an activity that uses a private key. */
export const privateKeyNamespace: Vocabulary = {
  private_key: struct({ id: string, label: string, tags: list(string), imported: bool, exported: bool }),
}

export function signingNeeds(signWith: string): SigningNeeds {
  return { key: keyToSignWith(signWith) }
}

/** The one key that was named. Two keys of an organization cannot share an address, because they cannot share their material. */
export function signingKey(rows: Gathered<SigningNeeds>): Opened<PrivateKey> {
  const [key, another] = rows.key
  if (key === undefined) throw nothingToSignWith()
  if (another !== undefined) throw new Bug('two keys have one address')
  return key
}

export function privateKeyFacts({ body }: Opened<PrivateKey>): Facts {
  const { privateKeyId, privateKeyName, privateKeyTags, imported, exported } = body
  return {
    private_key: { id: privateKeyId, label: privateKeyName, tags: privateKeyTags, imported, exported },
  }
}
