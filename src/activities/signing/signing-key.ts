import { Bug } from '../../base/assert.ts'
import type { Gathered, ObjectsNeed, Opened } from '../../catalogue/objects.ts'
import { keyToSignWith, nothingToSignWith, type PrivateKey } from '../private-keys/private-key.ts'

export type SigningNeeds = { readonly key: ObjectsNeed<PrivateKey> }

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
