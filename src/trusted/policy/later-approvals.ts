import { type Approval, Crowd, peopleFacts } from './people.ts'
import type { Facts } from './types.ts'

/**
 * The people who may come to approve: first the present approvers, then one more at a time in the order of `everyone`,
 * up to all.
 */
export type LaterApprovals = {
  /** The present approvers. */
  readonly first: () => Facts
  readonly last: () => Facts
  readonly each: () => readonly Facts[]
}

/**
 * The moments, computed once and when first asked for: most decisions never ask. All that a request does is decided on
 * the same moments.
 *
 * @param everyone  all users who could approve, each with all credentials; users who have approved may be among them
 */
export function laterApprovals(
  approvals: readonly Approval[],
  everyone: readonly Approval[],
): LaterApprovals {
  let all: readonly Approval[] | undefined
  let first: Facts | undefined
  let last: Facts | undefined
  let each: readonly Facts[] | undefined
  const people = (): readonly Approval[] => {
    all ??= [...approvals, ...notAmong(approvals, everyone)]
    return all
  }
  return {
    first: () => {
      first ??= peopleFacts(approvals)
      return first
    },
    last: () => {
      last ??= peopleFacts(people())
      return last
    },
    each: () => {
      each ??= prefixes(people(), approvals.length)
      return each
    },
  }
}

export function notAmong(approvals: readonly Approval[], everyone: readonly Approval[]): readonly Approval[] {
  const approved = new Set(approvals.map(({ user }) => user.id))
  return everyone.filter(({ user }) => !approved.has(user.id))
}

/** The facts of the first `from` people, of one more, and so on to all of them. */
function prefixes(people: readonly Approval[], from: number): readonly Facts[] {
  const crowd = new Crowd(people.slice(0, from))
  return [
    crowd.facts(),
    ...people.slice(from).map((approval) => {
      crowd.add(approval)
      return crowd.facts()
    }),
  ]
}
