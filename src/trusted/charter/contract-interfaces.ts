import { ALREADY_EXISTS, defineFailure, FAILED_PRECONDITION } from '../base/failure.ts'
import type { Charter, ContractInterfaceEntry } from './charter.ts'
import { limits, tooMany } from './limits.ts'

export const contractHasInterface = defineFailure<{ readonly address: string }>({
  kind: 'contractHasInterface',
  code: ALREADY_EXISTS,
  say: ({ address }) =>
    `the contract ${address} has an interface already: delete it first, for a call is read with one only`,
})

export const contractInterfacesChanged = defineFailure<{ readonly address: string }>({
  kind: 'contractInterfacesChanged',
  code: FAILED_PRECONDITION,
  say: ({ address }) => `the interface of the contract ${address} changed meanwhile: send the request again`,
})

/**
 * The key under which the interface of a contract is found. Addresses of Ethereum are the same in either case, those of
 * Solana are not.
 */
export function contractKey(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address
}

/** The charter with one more contract whose interface is known. */
export function withContractInterface(charter: Charter, entry: ContractInterfaceEntry): Charter {
  const { address } = entry
  if (charter.contractInterfaces.some((contractInterface) => contractInterface.address === address))
    throw contractHasInterface({ address })
  if (charter.contractInterfaces.length >= limits.contractInterfaces)
    throw tooMany({ what: 'smart contract interfaces', max: limits.contractInterfaces })
  return { ...charter, contractInterfaces: [...charter.contractInterfaces, entry] }
}

export function withoutContractInterface(charter: Charter, smartContractInterfaceId: string): Charter {
  return {
    ...charter,
    contractInterfaces: charter.contractInterfaces.filter(
      (contractInterface) => contractInterface.smartContractInterfaceId !== smartContractInterfaceId,
    ),
  }
}

/**
 * Refuses to go on when the interface of a contract is known to the charter and was not brought. Policies would then have
 * been asked about a call that they could not see into, and a DENY policy about it been passed over: a host could have
 * that so by withholding the row.
 *
 * @param addresses   of the contracts that are called
 * @param broughtIds  of the interfaces that were brought
 */
export function checkInterfacesBrought(
  { contractInterfaces }: Charter,
  addresses: readonly string[],
  broughtIds: ReadonlySet<string>,
): void {
  const called = new Set(addresses.map(contractKey))
  for (const { address, smartContractInterfaceId } of contractInterfaces) {
    if (called.has(address) && !broughtIds.has(smartContractInterfaceId))
      throw contractInterfacesChanged({ address })
  }
}
