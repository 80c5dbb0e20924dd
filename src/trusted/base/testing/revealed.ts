import type { TestContext } from 'node:test'
import { Secret } from '../secret.ts'

/** The very bytes of every secret that is revealed from now on, each once. */
export function revealed(t: TestContext): Set<Uint8Array> {
  const seen = new Set<Uint8Array>()
  const { reveal } = Secret.prototype
  t.mock.method(Secret.prototype, 'reveal', function (this: Secret) {
    const bytes = reveal.call(this)
    seen.add(bytes)
    return bytes
  })
  return seen
}
