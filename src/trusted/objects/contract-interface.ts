import { present } from '../base/assert.ts'
import { ALREADY_EXISTS, defineFailure, INVALID_ARGUMENT, NOT_FOUND } from '../base/failure.ts'
import type { Steps } from '../base/work.ts'
import type { Ms } from '../base/world.ts'
import { defineKind, objectsFound, type ObjectsNeed, type Opened } from '../catalogue/objects.ts'
import { shown } from '../catalogue/shape.ts'
import type { InterfaceRule } from '../chains/chain.ts'
import { chains, type declaredChains } from '../chains/list.ts'
import type { ContractInterface } from '../chains/transaction.ts'
import type { ContractInterfaceEntry } from '../charter/charter.ts'
import { contractKey } from '../charter/contract-interfaces.ts'

type ContractInterfaceType = Extract<
  (typeof declaredChains)[number],
  { readonly interfaces: object }
>['interfaces']['type']

type RuleOfChain = InterfaceRule & { readonly chain: string }

const rules: ReadonlyMap<string, RuleOfChain> = new Map(
  chains.flatMap(({ name, interfaces }) =>
    interfaces ? [[interfaces.type, { ...interfaces, chain: name }]] : [],
  ),
)

// The type `ContractInterfaceType` is made of these keys, the interface types of the chains.
export const CONTRACT_INTERFACE_TYPES = [...rules.keys()] as readonly ContractInterfaceType[]

/** The interface with which calls of a contract are decoded for policies. It is not secret. */
export type SmartContractInterface = {
  readonly smartContractInterfaceId: string
  /** As it was sent. */
  readonly smartContractAddress: string
  /** JSON text: an ABI, or an IDL of Anchor; accepted by `contractInterfaceSteps`. */
  readonly smartContractInterface: string
  readonly type: ContractInterfaceType
  readonly label: string
  readonly notes: string
  readonly createdAt: Ms
  readonly updatedAt: Ms
}

export const contractInterfaces = defineKind<SmartContractInterface>({
  kind: 'smart_contract_interface',
  claims: ({ label }) => [{ kind: 'CONTRACT_INTERFACE_LABEL', value: label }],
  entries: ({ smartContractAddress }) => [{ kind: 'CONTRACT', value: contractKey(smartContractAddress) }],
  taken: (claim) => contractInterfaceLabelTaken({ label: claim.value }),
})

export const contractInterfaceNotFound = defineFailure<{
  readonly smartContractInterfaceId: string
  readonly organizationId: string
}>({
  kind: 'contractInterfaceNotFound',
  code: NOT_FOUND,
  say: ({ smartContractInterfaceId, organizationId }) =>
    `unable to find smart contract interface ${smartContractInterfaceId} in organization ${organizationId}`,
})

export const contractInterfaceLabelTaken = defineFailure<{ readonly label: string }>({
  kind: 'contractInterfaceLabelTaken',
  code: ALREADY_EXISTS,
  say: ({ label }) =>
    `smart contract interface label must be unique: there is a smart contract interface named ${JSON.stringify(label)} already`,
})

export const invalidContractAddress = defineFailure<{ readonly address: string; readonly expected: string }>({
  kind: 'invalidContractAddress',
  code: INVALID_ARGUMENT,
  say: ({ address, expected }) =>
    `invalid smart contract address: ${shown(address)} is not an address of ${expected}`,
})

/**
 * For `validate`: only a completely understood interface is accepted; otherwise policies would see less of a call than
 * their author expects.
 */
export function* contractInterfaceSteps({
  type,
  smartContractAddress,
  smartContractInterface,
}: Pick<SmartContractInterface, 'type' | 'smartContractAddress' | 'smartContractInterface'>): Steps<void> {
  const address = smartContractAddress
  const { chain, isAddress, check } = ruleOf(type)
  if (!isAddress(address)) throw invalidContractAddress({ address, expected: chain })
  yield* check(smartContractInterface, address)
}

/**
 * For the needs of a signing activity: the interfaces of the contracts that a transaction calls. The activity calls
 * `checkInterfacesBrought` when it is carried out.
 *
 * @param addresses  `to` for Ethereum, every program for Solana
 */
export function interfacesFor(addresses: readonly string[]): ObjectsNeed<SmartContractInterface> {
  const keys = new Set(addresses.map(contractKey))
  return objectsFound(
    contractInterfaces,
    [...keys].map((value) => ({ kind: 'CONTRACT', value })),
  )
}

/** In the form that the readers of transactions take. */
export function interfacesOf(rows: readonly Opened<SmartContractInterface>[]): readonly ContractInterface[] {
  return rows.map(({ body: { type, smartContractAddress, smartContractInterface } }) => ({
    kind: ruleOf(type).kind,
    address: smartContractAddress,
    text: smartContractInterface,
  }))
}

/** The entries that a charter has for the interfaces that were brought, for `checkInterfacesBrought`. */
export function entriesOf(
  rows: readonly Opened<SmartContractInterface>[],
): readonly ContractInterfaceEntry[] {
  return rows.map(({ objectId, body: { smartContractAddress } }) => ({
    smartContractInterfaceId: objectId,
    address: contractKey(smartContractAddress),
  }))
}

function ruleOf(type: ContractInterfaceType): RuleOfChain {
  return present(rules.get(type), 'a type of interface is that of a chain')
}
