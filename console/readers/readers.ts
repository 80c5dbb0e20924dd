import './most-used.ts'
import { type Words, wordsOf } from '../../src/host/approval/words.ts'
import { utf8 } from '../../src/trusted/base/bytes.ts'

/** What these exact bytes of a request say, which nobody has sent yet. The readers are a file of their own. */
export async function said(body: string): Promise<Words> {
  return await wordsOf(utf8(body))
}
