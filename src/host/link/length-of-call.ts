import { lengthOf } from '../../protocol/frame-sender.ts'
import type { Policy } from '../../trusted/charter/charter.ts'
import type {
  BroughtRows,
  CheckRequest,
  DecideRequest,
  EraseRequest,
  EraseUserRequest,
  IdentifyRequest,
  OfferedCharter,
  RehearseRequest,
  ResealRequest,
  VerifyRequest,
} from '../../protocol/vault.ts'

/** About how many characters a call to the vault has, by the texts in it that can be long. */
export const lengthOfCall = {
  decide: ({ body, charters, rows, target }: DecideRequest): number =>
    body.length + textOf(charters) + textOfAll(rows) + (target?.votes.length ?? 0),
  identify: ({ body, charters }: IdentifyRequest): number => body.length + textOf(charters),
  check: ({ charters, activities, objects }: CheckRequest): number => {
    return textOf(charters) + textOf(objects) + lengthOf(activities)
  },
  reseal: ({ charters, activities, objects }: ResealRequest): number =>
    textOf(charters) + textOf(objects) + lengthOf(activities),
  erase: ({ charter, activities }: EraseRequest): number => charter.body.length + lengthOf(activities),
  eraseUser: ({ charter, parent, sayings, activities }: EraseUserRequest): number =>
    charter.body.length + (parent?.body.length ?? 0) + lengthOf(sayings) + lengthOf(activities),
  verify: ({ charters, activities, objects }: VerifyRequest): number =>
    textOf(charters) + textOf(objects) + lengthOf(activities),
  rehearse: ({ cases, draft, charters }: RehearseRequest): number => {
    const judged = cases.reduce((sum, { body, rows }) => sum + body.length + textOfAll(rows), 0)
    const drafted = draft?.put.reduce((sum, policy) => sum + policyText(policy), 0) ?? 0
    return judged + drafted + textOf(charters)
  },
}

function textOf(rows: readonly Pick<OfferedCharter, 'body'>[]): number {
  return rows.reduce((sum, { body = '' }) => sum + body.length, 0)
}

function textOfAll(rows: BroughtRows): number {
  let sum = 0
  for (const name in rows) sum += textOf(rows[name] ?? [])
  return sum
}

function policyText({ condition = '', consensus = '', notes }: Policy): number {
  return condition.length + consensus.length + notes.length
}
