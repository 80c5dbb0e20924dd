import type { Answering, Answers } from '../channel/open-channel.ts'
import type { EmbeddedKey } from '../keys/embedded-key.ts'

/** The messages about an embedded key itself. */
export function keyMessages(key: EmbeddedKey): Answers {
  return new Map<string, Answering>([
    ['GET_EMBEDDED_PUBLIC_KEY', async () => ['EMBEDDED_PUBLIC_KEY', await key.publicKey()]],
    ['INIT_EMBEDDED_KEY', async () => ['EMBEDDED_PUBLIC_KEY', await key.init()]],
    [
      'RESET_EMBEDDED_KEY',
      async () => {
        await key.reset()
        return ['EMBEDDED_KEY_RESET', true]
      },
    ],
  ])
}
