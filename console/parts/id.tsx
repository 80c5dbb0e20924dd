import { plainText } from '../words/plain-text.ts'

/** An id, in letters of one width that break anywhere. */
export function Id({ of }: { readonly of: string }) {
  return <span class="id">{plainText(of)}</span>
}
