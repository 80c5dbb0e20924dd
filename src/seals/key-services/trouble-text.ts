import type { Trouble } from './key-service.ts'

/** The details of a problem; texts from the service are not included unchecked. */
type Told = {
  readonly service: string
  /** The setting that names the part of the service. */
  readonly placeSetting: string
  readonly key: string
}

const PRINTABLE = /^[\w.:/-]{1,200}$/

/** A problem of a key service as a sentence for the operator. */
export function troubleText({ trouble, at, code }: Trouble, { service, placeSetting, key }: Told): string {
  const asked = `${service}${isPrintable(at) ? ` (${at})` : ''}`
  const named = isPrintable(code) ? ` (${code})` : ''
  switch (trouble) {
    case 'noPlace':
      return `${service} needs ${placeSetting}`
    case 'inTheClear':
      return `${asked} is not https: a key does not go over a network in the clear`
    case 'noCredentials':
      return `${asked} was not asked: its client finds no credentials${named}`
    case 'credentialsRefused':
      return `${asked} does not accept the credentials${named}`
    case 'noRights':
      return `${asked} refuses: the credentials have no right to use the key ${key}${named}`
    case 'noKey':
      return `${asked} knows no key ${key}${named}`
    case 'keyUnusable':
      return `${asked} does not use the key ${key}: it is disabled or was deleted${named}`
    case 'notDecrypted':
      return `${asked} does not decrypt it: another key sealed it, or it is of another file${named}`
    case 'wrongAnswer':
      return `${asked} gave no valid answer${named}`
    case 'unreachable':
      return `${asked} cannot be reached${named}`
    case 'failed':
      return `${asked} failed${named}`
  }
}

function isPrintable(text: string | undefined): text is string {
  return text !== undefined && PRINTABLE.test(text)
}
