import type { PaymentChain } from './payment-chains.ts'

export const TEMPLATES = ['payer', 'worker', 'observer', 'secrets-reader', 'provisioner'] as const

export type Template = (typeof TEMPLATES)[number]

/** The users whose approval lets an agent have what lies above its limits. */
export type Approvers = {
  readonly userIds: readonly string[]
  readonly needed: number
  /** As people read it. */
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

/** An agent that somebody wants. */
export type WantedAgent = {
  readonly name: string
  readonly template: Template
  /** Of a payer, and of no other template. */
  readonly limits?: Limits
  /** Users who may stop it alone, where the root quorum takes more than one. */
  readonly stoppers: readonly { readonly userId: string; readonly userName: string }[]
}

/** The ids that policies name; before they are known, words in their place. */
export type AgentIds = {
  readonly userId: string
  readonly walletId: string
  /** Of the account that pays. */
  readonly address: string
}

/** The names of everything that belongs to an agent begin with this. */
export function agentLabel(name: string): string {
  return `agent ${name}`
}

// It is part of a file name and of policies: nothing that a shell, a terminal or the language takes for an order.
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/

export function isAgentName(name: string): boolean {
  return NAME.test(name)
}

/** The name of the agent that this label is of. */
export function agentNameIn(label: string): string | undefined {
  const [word, name = '', ...more] = label.split(' ')
  return word === 'agent' && more.length === 0 && isAgentName(name) ? name : undefined
}
