import { parseTransaction } from 'viem'
import type { ActivityRow } from '../../src/trusted/catalogue/unit.ts'
import type { Charter } from '../../src/trusted/charter/charter.ts'
import { votesOf } from '../../src/trusted/vault/records/votes.ts'
import { hasRootQuorum } from './rules.ts'

const HOUR = 60 * 60 * 1000

/**
 * The limits of the simulation, by name, which every organization has from the start; their meaning is written out a
 * second time below.
 */
export const limits = {
  'So much is sent': {
    effect: 'EFFECT_DENY',
    condition: "usage.sum(eth.tx.value, '12h', wallet_account.address) > 100",
  },
  'So often is signed': {
    effect: 'EFFECT_DENY',
    condition: "activity.action == 'SIGN' && usage.count('6h', usage.user, activity.action) > 5",
  },
} as const

/** Something that was carried out, as the record of it shows. */
type Used = {
  readonly at: number
  readonly organizationId: string
  readonly by: string
  readonly amount: bigint
}

/**
 * Counts what was carried out, from the records alone, and says which limit one of them exceeds. A request with the
 * root quorum behind it is not bound, and counts.
 */
export class Recount {
  readonly #sent: Used[] = []
  readonly #signed: Used[] = []

  /** @param charter  as it stands when the record is written */
  carriedOut(row: ActivityRow, charter: Charter): readonly string[] {
    if (!row.type.startsWith('ACTIVITY_TYPE_SIGN_')) return []
    const { organizationId, updatedAt: at } = row
    const used: readonly (readonly [Used[], Used, number, bigint])[] = [
      [
        this.#signed,
        { at, organizationId, by: votesOf(row.votes)[0]?.userId ?? '', amount: 1n },
        6 * HOUR,
        5n,
      ],
      ...sentBy(row).map(
        ({ by, amount }) => [this.#sent, { at, organizationId, by, amount }, 12 * HOUR, 100n] as const,
      ),
    ]
    for (const [all, one] of used) all.push(one)
    if (hasRootQuorum(row, charter)) return []
    return used.flatMap(([all, one, windowMs, limit]) => {
      const sum = all
        .filter((other) => isCountedWith(other, one) && other.at > at - windowMs)
        .reduce((total, { amount }) => total + amount, 0n)
      // Without an amount of its own it uses nothing, whatever others have.
      return sum > limit && one.amount > 0n
        ? [`${row.activityId}: ${one.by} has used ${sum} of ${limit}`]
        : []
    })
  }
}

function isCountedWith(item: Used, other: Used): boolean {
  return item.organizationId === other.organizationId && item.by === other.by
}

/** What a transaction sends, and the account that it is sent from. */
function sentBy({ type, intent }: ActivityRow): readonly { readonly by: string; readonly amount: bigint }[] {
  if (!type.startsWith('ACTIVITY_TYPE_SIGN_TRANSACTION')) return []
  // The intent of a transaction, as the record holds it.
  const { signWith, unsignedTransaction } = JSON.parse(intent) as {
    readonly signWith: string
    readonly unsignedTransaction: `0x${string}`
  }
  return [{ by: signWith, amount: parseTransaction(unsignedTransaction).value ?? 0n }]
}
