import type { PaymentChain } from './payment-chains.ts'

export const TEMPLATES = ['payer', 'worker', 'observer', 'secrets-reader', 'provisioner'] as const

export type Template = (typeof TEMPLATES)[number]

/** The users whose approval permits an agent payments above its limits. */
export type Approvers = {
  readonly userIds: readonly string[]
  readonly needed: number
  /** For reading. */
  readonly text: string
}

/** The limits of a payer, in the smallest unit of the chain. */
export type Limits = {
  readonly chain: PaymentChain
  readonly daily?: bigint
  readonly perTransaction?: bigint
  readonly to: readonly string[]
  readonly calls: boolean
  readonly askAbove?: Approvers
}

/** The agent to be made. */
export type WantedAgent = {
  readonly name: string
  readonly template: Template
  /** Only for a payer. */
  readonly limits?: Limits
  /** Users who may stop it alone, if the root quorum needs several users. */
  readonly stoppers: readonly { readonly userId: string; readonly userName: string }[]
}

/** The ids in policies; placeholders before they are known. */
export type AgentIds = {
  readonly userId: string
  readonly walletId: string
  /** The id of the paying account. */
  readonly address: string
}

/** The names of all objects of an agent begin with this. */
export function agentLabel(name: string): string {
  return `agent ${name}`
}

// It is part of a file name and of policies, so it has no character with a meaning in a shell, a terminal or the policy
// language.
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/

export function isAgentName(name: string): boolean {
  return NAME.test(name)
}

/** The name of the agent with this label. */
export function agentNameIn(label: string): string | undefined {
  const [word, name = '', ...more] = label.split(' ')
  return word === 'agent' && more.length === 0 && isAgentName(name) ? name : undefined
}
