const PIECE = Buffer.alloc(64 * 1024, ' ')
const BYTES = 64 * 1024 * 1024
/** What a connection and the streams at both of its ends hold, and then some. */
const TAKEN_MAX = 16 * 1024 * 1024

/** An answer of 64 MiB, and whether the one who asked has given it up long before its end. */
export function longAnswer() {
  let sent = 0
  async function* stream(): AsyncGenerator<Uint8Array> {
    while (sent < BYTES) {
      sent += PIECE.length
      yield PIECE
    }
    yield Buffer.from('{}')
  }
  return { answer: { status: 200, stream: stream() }, isGivenUp: () => sent < TAKEN_MAX }
}
