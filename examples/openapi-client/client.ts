import { createPrivateKey, sign } from 'node:crypto'
import createClient, { type Client, type Middleware } from 'openapi-fetch'
import type { paths } from './claviger.d.ts'

/** Where the service is, and the API key to stamp with, as `.claviger/dev.env` names them. */
type Settings = {
  readonly BASE_URL: string
  readonly API_PUBLIC_KEY: string
  readonly API_PRIVATE_KEY: string
}

/** A client with a method for every path of the document, which stamps each request with the API key. */
export function clavigerClient(settings: Settings): Client<paths> {
  const client = createClient<paths>({ baseUrl: settings.BASE_URL })
  client.use(stamping(settings))
  return client
}

/** The stamp is over the exact bytes that are sent, so it is made when the body has been written. */
function stamping({ API_PUBLIC_KEY: publicKey, API_PRIVATE_KEY }: Settings): Middleware {
  // The API key as PKCS#8: a fixed head, and the 32 bytes of the private key.
  const head = '3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420'
  const key = createPrivateKey({
    key: Buffer.from(head + API_PRIVATE_KEY, 'hex'),
    format: 'der',
    type: 'pkcs8',
  })
  return {
    async onRequest({ request }) {
      const body = Buffer.from(await request.clone().arrayBuffer())
      const signature = sign('sha256', body, key).toString('hex')
      const stamp = { publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
      request.headers.set('X-Stamp', Buffer.from(JSON.stringify(stamp)).toString('base64url'))
      return request
    },
  }
}
