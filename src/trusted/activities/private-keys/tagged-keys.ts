import type { Ms } from '../../base/world.ts'
import { type Opened, type Placed, place } from '../../catalogue/objects.ts'
import { type PrivateKey, privateKeys } from '../../objects/private-key.ts'

/** These keys with changed tags; keys whose tags stay the same are left out. */
export function retagged(
  keys: readonly Opened<PrivateKey>[],
  now: Ms,
  tagsOf: (key: PrivateKey) => readonly string[],
): readonly Placed[] {
  return [...new Set(keys)].flatMap(({ objectId, body, secret }) => {
    const privateKeyTags = [...new Set(tagsOf(body))]
    const isSame =
      privateKeyTags.length === body.privateKeyTags.length &&
      privateKeyTags.every((tagId) => body.privateKeyTags.includes(tagId))
    return isSame ? [] : [place(privateKeys, objectId, { ...body, privateKeyTags, updatedAt: now }, secret)]
  })
}
