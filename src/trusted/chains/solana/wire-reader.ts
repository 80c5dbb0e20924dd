import { unreadableTransaction } from '../failures.ts'
import { FrontReader } from '../front-reader.ts'

/** Lengths that are not in their shortest form are failures too. */
export class WireReader extends FrontReader {
  /**
   * A length as compact-u16 (Solana, `short_vec`): seven bits a byte, the lowest first, at most 65535. Validators
   * refuse any encoding but the shortest.
   *
   * @throws Failure `unreadableTransaction`
   */
  compactLength(what: string): number {
    let length = 0
    for (let position = 0; position < COMPACT_BYTES_MAX; position++) {
      const byte = this.byte(what)
      if (position > 0 && byte === 0) {
        throw unreadableTransaction({ what: `the number of ${what} is not in its shortest form` })
      }
      length |= (byte & 0x7f) << (7 * position)
      if (byte < 0x80 && length <= LENGTH_MAX) return length
    }
    throw unreadableTransaction({ what: `the number of ${what} is above ${LENGTH_MAX}` })
  }
}

const COMPACT_BYTES_MAX = 3
const LENGTH_MAX = 0xffff
