import { assert } from '../../trusted/base/assert.ts'
import type { Answers, Question } from '../../trusted/catalogue/question.ts'
import type { DirectoryEntry, Unit } from '../../trusted/catalogue/unit.ts'
import { USAGE_METER } from '../../trusted/objects/usage-meter.ts'
import type { Decision, MetersNeeded } from '../../protocol/vault.ts'
import type { Exhausted } from '../store/quotas/quota.ts'
import type { CommitResult } from '../store/store.ts'
import type { Host } from './host.ts'
import { overQuota } from './over-quota.ts'
import { type Reply, replyOf } from './reply.ts'
import { Rereading } from './rereading.ts'

/** What one submission knows so far, and what it has used up. */
export type Progress = {
  /** Whether what is at hand is read again. */
  fresh: boolean
  /** What has been found out for this request. */
  readonly answers: Answers
  /** The charters that the vault wants whole. */
  readonly whole: Set<string>
  /** Who holds the names that a commit of this request has met. */
  held: readonly DirectoryEntry[]
  /** The meters that the vault has asked for. */
  metersNeeded: Omit<MetersNeeded, 'kind'> | undefined
  readonly rereading: Rereading
  readonly spent: { attempts: number; conflicts: number }
}

export function progressFrom({ fresh, answers }: Pick<Progress, 'fresh' | 'answers'>): Progress {
  return {
    fresh,
    answers,
    whole: new Set(),
    held: [],
    metersNeeded: undefined,
    rereading: new Rereading(),
    spent: { attempts: 0, conflicts: 0 },
  }
}

/** How often a submission may come past states of one kind. */
export const BOUNDS = {
  attempts: 20,
  // Each time a commit meets something else than was decided on, somebody else got on. A request that loses has a
  // little more to do than one that wins, so with eight hosts at one row, each of them busy, one request was seen to
  // lose 70 times.
  conflicts: 500,
  // The vault asks who made the stamp, and then what the activity has to know.
  rounds: 4,
} as const

export type Asks = { readonly kind: 'asks'; readonly questions: readonly Question[] }

/** Undefined: it is decided again. */
type Next = Reply | Asks | undefined

type Decided<Kind extends Decision['kind']> = Extract<Decision, { readonly kind: Kind }>

/** What each state is reached by. */
type Reasons = {
  needs: Decided<'needs'>
  meters: Decided<'meters'>
  asks: Decided<'asks'>
  outdated: Decided<'outdated'>
  underWay: Decided<'underWay'>
  doubted: Decided<'refused'>
  refused: Decided<'refused'>
  settled: Decided<'settled'>
  committed: Decided<'commit'>
  nameTaken: Decided<'commit'>
  metersOvertaken: Decided<'commit'>
  overtaken: Decided<'commit'>
  exhausted: { readonly decision: Decided<'commit'>; readonly exhausted: Exhausted }
}

export type StateName = keyof Reasons

type State<Reason> = {
  /** What has come, from the vault or from the commit; then what the host does, and where it goes on. */
  readonly when: string
  readonly does: string
  readonly goesOn: string
  /** What is used up by it; undefined where it ends the submission. */
  readonly spends: keyof typeof BOUNDS | undefined
  readonly enter: (host: Host, progress: Progress, reason: Reason) => Next | Promise<Next>
}

/** The loop of the host, whole. ARCHITECTURE.md has this table. */
export const states: { readonly [Name in StateName]: State<Reasons[Name]> } = {
  needs: {
    when: 'the vault wants charters whole',
    does: 'brings them whole',
    goesOn: 'decides again',
    spends: 'attempts',
    enter: (_, { whole }, { charters }) => {
      for (const organizationId of charters) whole.add(organizationId)
    },
  },
  meters: {
    when: 'the vault wants meters that it does not know, or all of them as they stand',
    does: 'brings them',
    goesOn: 'decides again',
    // Each time somebody else may have counted on them.
    spends: 'conflicts',
    enter: (_, progress, needed) => {
      progress.metersNeeded = needed
    },
  },
  asks: {
    when: 'the vault asks what only the world outside can tell',
    does: 'gives up its turns, and finds all answers at once',
    goesOn: 'begins anew with the answers',
    spends: 'rounds',
    enter: (_, __, asks) => asks,
  },
  outdated: {
    when: 'the vault knows something newer than what was brought',
    does: 'reads everything anew; the same again was put back, which is a bug',
    goesOn: 'decides again',
    spends: 'attempts',
    enter: (_, progress, outdated) => {
      progress.rereading.note(outdated)
      progress.fresh = true
    },
  },
  underWay: {
    when: 'a unit that writes the same is being committed',
    does: 'waits until that commit has ended',
    goesOn: 'decides again',
    spends: 'conflicts',
    enter: async (host, progress, { ticket }) => {
      await host.commits.ended(ticket)
      // The vault knows the meters better by now than they were brought.
      progress.metersNeeded = undefined
      return undefined
    },
  },
  doubted: {
    when: 'a refusal, decided on what the host remembered',
    does: 'reads everything anew',
    goesOn: 'decides again',
    spends: 'attempts',
    enter: (_, progress) => {
      progress.fresh = true
    },
  },
  refused: {
    when: 'a refusal, decided on what was read for this request',
    does: 'answers with the error',
    goesOn: 'ends',
    spends: undefined,
    enter: (_, __, { error }) => ({ kind: 'error', error }),
  },
  settled: {
    when: 'nothing changes',
    does: 'answers with the record as it stands',
    goesOn: 'ends',
    spends: undefined,
    enter: (host, _, decision) => replyOf(host, decision, decision.row),
  },
  committed: {
    when: 'a unit, and its commit is durable',
    does: 'answers with the record of the unit',
    goesOn: 'ends',
    spends: undefined,
    enter: (host, _, decision) => {
      const row = decision.unit.activity?.row
      assert(row !== undefined, 'a decided unit has its record')
      host.charters.committed(decision.unit.charters)
      host.onCommitted(row.organizationId)
      host.uses.note({ ...decision, organizationId: decision.homeId })
      return replyOf(host, decision, row)
    },
  },
  nameTaken: {
    when: 'a unit, and its commit finds a name taken',
    does: 'reads who holds the names, and everything else anew',
    goesOn: 'decides again',
    spends: 'conflicts',
    enter: async (host, progress, { unit }) => {
      progress.held = await holders(host, unit.claims.put)
      progress.fresh = true
      return undefined
    },
  },
  metersOvertaken: {
    when: 'a unit, and its commit finds meters moved on',
    // The rest is right still, and meters are read for every attempt.
    does: 'brings the meters as they stand now',
    goesOn: 'decides again',
    spends: 'conflicts',
    enter: (_, progress, { unit }) => {
      const ids = unit.objectGuards.map(({ organizationId, objectId }) => ({ organizationId, objectId }))
      progress.metersNeeded = { ids, asTheyStand: false }
    },
  },
  overtaken: {
    when: 'a unit, and its commit finds anything else moved on',
    does: 'reads everything anew',
    goesOn: 'decides again',
    spends: 'conflicts',
    enter: (_, progress) => {
      progress.fresh = true
    },
  },
  exhausted: {
    when: 'a unit, and its commit finds that a quota has too little left',
    does: 'answers with the error; nothing is written',
    goesOn: 'ends',
    spends: undefined,
    enter: ({ world }, _, { decision, exhausted }) =>
      overQuota(exhausted, decision.unit.activity?.audience ?? [], world.now()),
  },
}

/** A state, with what it was reached by. */
type Reached<Name extends StateName = StateName> = {
  [One in Name]: { readonly state: One; readonly reason: Reasons[One] }
}[Name]

/** Where an answer of the vault leads that is not to be committed. */
export function stateOf(
  decision: Exclude<Decision, { readonly kind: 'commit' }>,
  { fresh }: Progress,
): Reached {
  switch (decision.kind) {
    case 'needs':
      return { state: 'needs', reason: decision }
    case 'meters':
      return { state: 'meters', reason: decision }
    case 'asks':
      return { state: 'asks', reason: decision }
    case 'outdated':
      return { state: 'outdated', reason: decision }
    case 'underWay':
      return { state: 'underWay', reason: decision }
    case 'refused':
      return { state: fresh ? 'refused' : 'doubted', reason: decision }
    case 'settled':
      return { state: 'settled', reason: decision }
  }
}

/** Where a unit leads, by how its commit has ended. */
export function stateAfter(decision: Decided<'commit'>, outcome: CommitResult): Reached {
  if (outcome.kind === 'committed') return { state: 'committed', reason: decision }
  if (outcome.kind === 'exhausted')
    return { state: 'exhausted', reason: { decision, exhausted: outcome.exhausted } }
  if (outcome.conflict === 'claim') return { state: 'nameTaken', reason: decision }
  const isOfMeters = outcome.conflict === 'object' && isGuardedByMetersAlone(decision.unit)
  return { state: isOfMeters ? 'metersOvertaken' : 'overtaken', reason: decision }
}

/** Does what the state says, and counts it. */
export async function enter<Name extends StateName>(
  host: Host,
  progress: Progress,
  { state, reason }: Reached<Name>,
): Promise<Next> {
  const { spends, enter: go } = states[state]
  const next = await go(host, progress, reason)
  if (spends === 'attempts' || spends === 'conflicts') spend(progress, spends)
  return next
}

function spend({ spent }: Progress, kind: keyof Progress['spent']): void {
  spent[kind] += 1
  if (spent[kind] === BOUNDS[kind])
    throw new Error(`no attempt of ${spent.attempts + spent.conflicts} met an unchanged organization`)
}

function isGuardedByMetersAlone({ objectGuards }: Unit): boolean {
  return objectGuards.every(({ kind }) => kind === USAGE_METER)
}

/** Who holds these names now. */
async function holders(host: Host, claims: readonly DirectoryEntry[]): Promise<readonly DirectoryEntry[]> {
  const held = await Promise.all(
    claims.map(async (claim) => {
      const target = await host.store.claimed(claim.scope, claim.kind, claim.value)
      return target === undefined ? [] : [{ ...claim, target }]
    }),
  )
  return held.flat()
}
