import { plainText, shortId } from '../words/plain-text.ts'
import { say } from './words.ts'

/**
 * A text that somebody else has chosen: what it says stays its own, in its own direction.
 *
 * @param id  of what is called so, where another name that looks alike would be taken for it
 */
export function Name({ of, id = '' }: { readonly of: string; readonly id?: string }) {
  return (
    <>
      <bdi>{of === '' ? say('unnamed') : plainText(of)}</bdi>
      {shortId(id)}
    </>
  )
}
