import { readServiceAddress } from '../service-address.ts'
import { UsageError } from '../usage.ts'

/** The address of a service in a command line, which may be that of its console. */
export function serviceAddress(text: string): string {
  const read = readServiceAddress(text)
  if ('wrong' in read) throw new UsageError(`the given address ${read.wrong}`)
  return read.address.replace(/\/console$/, '')
}
