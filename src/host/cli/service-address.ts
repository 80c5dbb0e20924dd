import { isLoopback } from '../../trusted/base/loopback.ts'

/** An address of a service, without a slash at its end; or what is wrong with it, as the rest of a sentence. */
type ServiceAddress = { readonly address: string } | { readonly wrong: string }

/**
 * Reads the address of a service. Unless it is a loopback address it must be https: otherwise requests could be read,
 * and answers changed, on the way. An address with a password is not quoted.
 */
export function readServiceAddress(text: string): ServiceAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    return { wrong: 'is not an address: write it as https://keys.example.com' }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return { wrong: 'has more than the address of a service: leave out credentials, query and fragment' }
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return {
      wrong: `must begin with https://, because ${url.hostname} is none of localhost, 127.0.0.1 and [::1]: others could read requests and change answers on the way`,
    }
  return { address: `${url.origin}${url.pathname}`.replace(/\/+$/, '') }
}
