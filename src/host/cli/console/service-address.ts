import { UsageError } from '../usage.ts'

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/**
 * The address of a service, without a slash at its end. Beyond this machine it must be https: otherwise requests could
 * be read, and answers changed, on the way.
 */
export function serviceAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${JSON.stringify(text)} is not an address: write it as https://keys.example.com`)
  if (url.protocol === 'http:' && !LOOPBACK.includes(url.hostname))
    throw new UsageError(`${text} must be https, or an address of this machine`)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError(
      `${text} has more than the address of a service: leave out path, query and credentials`,
    )
  return `${url.origin}${url.pathname}`.replace(/(\/console)?\/*$/, '')
}
