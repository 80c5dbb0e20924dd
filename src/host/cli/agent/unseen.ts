import { amountText } from './amount.ts'
import type { Limits, WantedAgent } from './wanted-agent.ts'

/** The parts that no policy of the agent sees or limits. */
export function unseenBy({ template, limits }: WantedAgent): readonly string[] {
  const reads =
    'What it reads: every user of an organization may read its users, policies, activities and addresses.'
  switch (template) {
    case 'payer':
      return [...unseenByPayer(limits), reads]
    case 'worker':
      return [
        'What a message, typed data (EIP-712) or a digest means, and what it moves: there is no limit.',
        'A digest may be a transaction, a permit over tokens, or an authorization that hands the account to a contract (EIP-7702).',
        reads,
      ]
    case 'secrets-reader':
      return ['What it does with a secret once it has read it.', reads]
    case 'provisioner':
      return ['The names of the wallets that it creates; each begins empty.', reads]
    case 'observer':
      return [reads]
  }
}

function unseenByPayer(limits: Limits | undefined): readonly string[] {
  if (limits === undefined) return []
  const { chain, calls, to, daily, perTransaction, askAbove } = limits
  return [
    ...chain.unseen,
    ...(calls
      ? [
          'What a contract does with a call, such as a router that pays somebody else.',
          `Tokens: amounts are limited in ${amountText(1n, chain.units).split(' ')[1] ?? ''}, and a call may move any amount of a token, or approve that others move it.`,
        ]
      : []),
    ...(to.length === 0 ? ['To whom it pays: any address is allowed (--to names those that are).'] : []),
    ...(daily === undefined && perTransaction !== undefined
      ? ['How much all payments come to: there is no limit for a day (--daily).']
      : []),
    ...(askAbove === undefined
      ? []
      : [
          'Whether a payment within the limit of one transaction was approved: it counts towards the day all the same.',
        ]),
  ]
}
