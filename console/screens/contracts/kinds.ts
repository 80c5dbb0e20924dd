/** The kinds of interface that there are, as the service names them and as people do. */
export const KINDS = [
  { type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM', word: 'ethereum' },
  { type: 'SMART_CONTRACT_INTERFACE_TYPE_SOLANA', word: 'solana' },
] as const

export type Kind = (typeof KINDS)[number]['type']

export function kindOf(type: string): (typeof KINDS)[number] | undefined {
  return KINDS.find((one) => one.type === type)
}
