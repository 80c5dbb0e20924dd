import { plainText } from '../words/plain-text.ts'
import { say } from './words.ts'

/** A text that somebody else has chosen: what it says stays its own, in its own direction. */
export function Name({ of }: { readonly of: string }) {
  return <bdi>{of === '' ? say('unnamed') : plainText(of)}</bdi>
}
