import { received } from './post.ts'

/**
 * A public key of the service, as the host that serves this page names it.
 *
 * @throws Unreachable, Refused, StrangeAnswer
 */
export async function discoveredKey(name: 'oauth2' | 'signer' | 'webhook'): Promise<string> {
  return (await received('/public/v1/discovery/keys')).text(name)
}
