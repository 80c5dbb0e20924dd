import { lookup as systemLookup, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '../../trusted/base/public-address.ts'
import { OutboundError } from './outbound-error.ts'

export type LookupRules = {
  readonly allowPrivate: boolean
  /** `address` or `address:port` of the name servers to ask; those of the system when absent. */
  readonly nameServers?: readonly string[]
}

export type CheckedLookup = { readonly lookup: LookupFunction; readonly cancel: () => void }

const QUERY_TIMEOUT_MS = 2_000
const QUERY_TRIES = 2

/**
 * Name resolution for one connection attempt: all addresses of the name, each of them public, or none. The connection
 * is made to what is returned here and nothing resolves the name again, so that a name cannot change in between.
 *
 * Names are asked of the name servers directly, not of the system's resolver: that one blocks one of the few threads
 * which also read files, so slow names would delay all other work. Only where private addresses are allowed does the
 * system answer, because there a name may be in its hosts file.
 */
export function checkedLookup(rules: LookupRules): CheckedLookup {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES })
  if (rules.nameServers !== undefined) resolver.setServers(rules.nameServers)
  const askSystem = rules.allowPrivate && rules.nameServers === undefined
  const addressesOf = askSystem ? systemAddresses : (name: string) => serverAddresses(resolver, name)

  const checked = async (name: string): Promise<readonly string[]> => {
    const addresses = await addressesOf(name)
    if (addresses.length === 0) throw new OutboundError('unreachable', 'the name does not resolve')
    if (!rules.allowPrivate && !addresses.every(isPublicAddress))
      throw new OutboundError('refusedTarget', 'the name leads to an address that is not public')
    return addresses
  }
  return {
    lookup: (name, options, answer) => {
      checked(name).then(
        (addresses) => {
          const found = addresses.map((address) => ({ address, family: isIP(address) }))
          const [first] = found
          if (options.all === true || first === undefined) answer(null, found)
          else answer(null, first.address, first.family)
        },
        (error: Error) => answer(error, []),
      )
    },
    cancel: () => resolver.cancel(),
  }
}

async function systemAddresses(name: string): Promise<readonly string[]> {
  const found = await systemLookup(name, { all: true })
  return found.map(({ address }) => address)
}

/** Either family may be missing; what could not be asked is not connected to either. */
async function serverAddresses(resolver: Resolver, name: string): Promise<readonly string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}
