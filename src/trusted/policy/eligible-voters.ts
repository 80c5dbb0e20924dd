import { costs } from '../base/costs.ts'
import { finished, type Steps } from '../base/work.ts'
import type { CompiledPolicy } from './compile-policy.ts'
import { canBeLost, type Consensus, contributes, isLost, reachable } from './consensus.ts'
import type { PolicyQuestion } from './decide.ts'
import { type Budget, decisionBudget, spending, type Usage } from './run.ts'
import { type LaterApprovals, laterApprovals, notAmong } from './later-approvals.ts'
import { timeFacts } from './time.ts'
import type { Facts } from './types.ts'

/**
 * Ids of the users who could still vote: they have not approved, and some ALLOW policy that is active and about this
 * activity asks for their approval. `decidePolicies` would accept their votes, and no DENY policy is about them as
 * approvers. Meant for an activity that waits.
 */
export function eligibleVoters(question: Question): readonly string[] {
  return finished(eligibleVoterSteps([question]))
}

/**
 * The same in steps.
 *
 * @param questions  one for each thing that waits, all of one request
 */
export function* eligibleVoterSteps(questions: readonly Question[]): Steps<readonly string[]> {
  const [first] = questions
  if (first === undefined) return []
  const { approvals, everyone, now } = first
  const { later = laterApprovals(approvals, everyone) } = first
  const people = later.first()
  const budget = decisionBudget(questions.length)
  /** A separate one: when it is used up, a vote that would be turned away is asked for, and none is left out. */
  const lostBudget = decisionBudget(questions.length)
  const known = new Map<Consensus, boolean>()
  const denying = new Set<Consensus>()
  for (const { policies, facts, usage } of questions) {
    for (const policy of policies) {
      yield costs.policy
      const asked = { facts, people, later, now, usage, known, denying }
      if (policy.effect === 'EFFECT_ALLOW') yield* findWaiting(policy, { ...asked, budget })
      else yield* findDenying(policy, { ...asked, budget: lostBudget })
    }
  }
  const waiting = [...known].flatMap(([consensus, waits]) =>
    waits ? [{ consensus, isLosable: canBeLost(consensus) }] : [],
  )
  const approvers = [...new Map(approvals.map(({ user }) => [user.id, user])).values()]
  const eligible: string[] = []
  for (const voter of notAmong(approvals, everyone)) {
    // What can be lost is not about credentials, so those of the voter are left out.
    const withVote: Facts = { ...people, approvers: [...approvers, voter.user] }
    if (yield* isDenied(denying, withVote, lostBudget)) continue
    for (const { consensus, isLosable } of waiting) {
      yield costs.policy
      if (!(yield* contributes(consensus, voter, budget))) continue
      if (isLosable && (yield* isLost(consensus, withVote, lostBudget))) continue
      eligible.push(voter.user.id)
      break
    }
  }
  return eligible
}

type Question = Omit<PolicyQuestion, 'voter'>

type Asked = {
  readonly facts: Facts
  readonly people: Facts
  readonly later: LaterApprovals
  readonly budget: Budget
  readonly now: number
  readonly usage: Usage | undefined
  /** Whether each consensus of ALLOW policies about the activity waits for approvals. */
  readonly known: Map<Consensus, boolean>
  /** Each consensus of DENY policies about the activity: they deny once the wrong people approve. */
  readonly denying: Set<Consensus>
}

function* findWaiting(
  { condition, consensus, time }: CompiledPolicy,
  { facts, people, later, budget, now, usage, known }: Asked,
): Steps<void> {
  if (consensus === undefined || known.has(consensus)) return
  const spent = spending(budget)
  const isActive = time === undefined || time.evaluate(timeFacts(now), budget) === true
  const isAbout = isActive && (condition === undefined || condition.evaluate(facts, budget, usage) === true)
  const isOpen = isAbout && consensus.evaluate(people, budget) === false
  yield spent()
  if (isAbout) known.set(consensus, isOpen && (yield* reachable(consensus, later, budget)))
}

/** Leaves out what looks at credentials, since a user approves with one of several. */
function* findDenying(
  { condition, consensus, time }: CompiledPolicy,
  { facts, budget, now, usage, denying }: Asked,
): Steps<void> {
  if (consensus === undefined || consensus.namesCredentials || denying.has(consensus)) return
  const spent = spending(budget)
  const isActive = time?.evaluate(timeFacts(now), budget) !== false
  const isAbout = isActive && (condition === undefined || condition.evaluate(facts, budget, usage) === true)
  yield spent()
  if (isAbout) denying.add(consensus)
}

function* isDenied(denying: ReadonlySet<Consensus>, people: Facts, budget: Budget): Steps<boolean> {
  const spent = spending(budget)
  for (const consensus of denying) {
    const denies = consensus.evaluate(people, budget) === true
    yield spent()
    if (denies) return true
  }
  return false
}
