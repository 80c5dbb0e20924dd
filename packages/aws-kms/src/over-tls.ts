import type { KMSClient } from '@aws-sdk/client-kms'

export class InTheClear extends Error {
  override readonly name = 'InTheClear'
  readonly host: string

  constructor(host: string) {
    super('an endpoint that is not https')
    this.host = host
  }
}

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

/**
 * Environment, profile or settings may all name an endpoint: whichever did, a key goes over TLS to it, or stays on this
 * machine.
 */
export function overTls(client: KMSClient): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      // A request of HTTP by then, which is what this client speaks.
      const { protocol, hostname } = args.request as { readonly protocol: string; readonly hostname: string }
      if (protocol !== 'https:' && !LOOPBACK.includes(hostname)) throw new InTheClear(hostname)
      return await next(args)
    },
    { step: 'finalizeRequest', name: 'overTls' },
  )
}
