const SETTING = 'CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS'
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

/**
 * The server to ask: the public one, or one that is named as gcloud takes it, such as that of a region or of a private
 * network.
 */
export function endpointOf(environment: { readonly [name: string]: string | undefined }) {
  const said = environment[SETTING]
  if (said === undefined || said === '') return { kind: 'known', at: undefined, options: {} } as const
  if (!URL.canParse(said)) return { kind: 'wrong', trouble: 'noPlace', at: undefined } as const
  const { protocol, hostname, host, port } = new URL(said)
  if (protocol === 'https:') {
    const options = { apiEndpoint: hostname, ...(port === '' ? {} : { port: Number(port) }) }
    return { kind: 'known', at: host, options } as const
  }
  if (protocol !== 'http:' || !LOOPBACK.includes(hostname))
    return { kind: 'wrong', trouble: 'inTheClear', at: host } as const
  const options = { apiEndpoint: hostname, port: Number(port === '' ? 80 : port), protocol: 'http' }
  return { kind: 'known', at: host, options } as const
}
