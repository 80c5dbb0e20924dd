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
 * Refuses to go on unless exactly the interfaces were brought that the charter knows of the called contracts. Without
 * one of them policies would have been asked about a call that they could not see into, and a DENY policy about it been
 * passed over. With another one, such as a deleted one, they would have seen other arguments. A host could have that so
 * by withholding a row, or by keeping one.
 *
 * @param addresses  of the contracts that are called
 * @param brought    the interfaces that were brought
 */
export function checkInterfacesBrought(
  { contractInterfaces }: Charter,
  addresses: readonly string[],
  brought: readonly ContractInterfaceEntry[],
): void {
  const called = new Set(addresses.map(contractKey))
  const known = contractInterfaces.filter(({ address }) => called.has(address))
  const changed = known.find(isMissingIn(brought)) ?? brought.find(isMissingIn(known))
  if (changed !== undefined) throw contractInterfacesChanged({ address: changed.address })
}

function isMissingIn(entries: readonly ContractInterfaceEntry[]): (entry: ContractInterfaceEntry) => boolean {
  const ids = new Set(entries.map(({ smartContractInterfaceId }) => smartContractInterfaceId))
  return ({ smartContractInterfaceId }) => !ids.has(smartContractInterfaceId)
}
