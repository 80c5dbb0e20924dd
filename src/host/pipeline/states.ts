import { assert } from '../../trusted/base/assert.ts'
import { defineFailure, UNAVAILABLE } from '../../trusted/base/failure.ts'
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

/** The state of one submission, and the attempts that it has used up. */
export type Progress = {
  /** Whether cached rows are read again. */
  fresh: boolean
  /** The answers to the vault's questions about this request. */
  readonly answers: Answers
  /** The charters that the vault wants with their bodies. */
  readonly whole: Set<string>
  /** The holders of the names that a commit of this request has found taken. */
  held: readonly DirectoryEntry[]
  /** The meters that the vault has asked for. */
  metersNeeded: Omit<MetersNeeded, 'kind'> | undefined
  readonly rereading: Rereading
  readonly spent: { attempts: number; conflicts: number; waits: number }
}

export function progressFrom({ fresh, answers }: Pick<Progress, 'fresh' | 'answers'>): Progress {
  return {
    fresh,
    answers,
    whole: new Set(),
    held: [],
    metersNeeded: undefined,
    rereading: new Rereading(),
    spent: { attempts: 0, conflicts: 0, waits: 0 },
  }
}

/** The maximum number of times that a submission may pass states of one kind. */
export const BOUNDS = {
  attempts: 20,
  // A conflict means that another request has made progress. A losing request has a little more work than a winning
  // one. With eight busy hosts at one row, one request was seen to lose 70 times.
  conflicts: 500,
  // Some ten seconds: a host that stands still keeps its units under way, and nothing tells the others of it.
  waits: 140,
  // The vault first asks about the stamp, and then asks the questions of the activity.
  rounds: 4,
} as const

export type Asks = { readonly kind: 'asks'; readonly questions: readonly Question[] }

/** Undefined: the submission is decided again. */
type Next = Reply | Asks | undefined

type Decided<Kind extends Decision['kind']> = Extract<Decision, { readonly kind: Kind }>

/** The reason for each state. */
type Reasons = {
  needs: Decided<'needs'>
  meters: Decided<'meters'>
  asks: Decided<'asks'>
  outdated: Decided<'outdated'>
  underWay: { readonly ticket: number }
  underWayElsewhere: Decided<'underWay'>
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
  /** The event from the vault or from the commit; then the reaction of the host, and the next step. */
  readonly when: string
  readonly does: string
  readonly goesOn: string
  /** The count that the state increases; undefined if it ends the submission. */
  readonly spends: keyof typeof BOUNDS | undefined
  readonly enter: (host: Host, progress: Progress, reason: Reason) => Next | Promise<Next>
}

/** The complete loop of the host. ARCHITECTURE.md contains this table. */
export const states: { readonly [Name in StateName]: State<Reasons[Name]> } = {
  needs: {
    when: 'the vault asks for charters with their bodies',
    does: 'brings them with their bodies',
    goesOn: 'decides again',
    spends: 'attempts',
    enter: (_, { whole }, { charters }) => {
      for (const organizationId of charters) whole.add(organizationId)
    },
  },
  meters: {
    when: 'the vault asks for meters that it does not know, or for the stored state of all of them',
    does: 'brings them',
    goesOn: 'decides again',
    // Another request may have counted on the meters each time.
    spends: 'conflicts',
    enter: (_, progress, needed) => {
      progress.metersNeeded = needed
    },
  },
  asks: {
    when: 'the vault asks questions that only the outside world can answer',
    does: 'gives up its turns, and fetches all answers at once',
    goesOn: 'starts again with the answers',
    spends: 'rounds',
    enter: (_, __, asks) => asks,
  },
  outdated: {
    when: 'the vault knows a newer state of a row than the one that was brought',
    does: 'reads everything again; if the same row comes back, it was put back, which is a bug',
    goesOn: 'decides again',
    spends: 'attempts',
    enter: (_, progress, outdated) => {
      progress.rereading.note(outdated)
      progress.fresh = true
    },
  },
  underWay: {
    when: 'a unit that writes the same rows is being committed',
    does: 'waits until that commit has ended',
    goesOn: 'decides again',
    spends: 'conflicts',
    enter: async (host, progress, { ticket }) => {
      await host.commits.ended(ticket)
      // The vault now knows newer meters than those that were brought.
      progress.metersNeeded = undefined
      return undefined
    },
  },
  underWayElsewhere: {
    when: 'a unit of another host that writes the same rows is being committed',
    does: 'waits, each time a little longer; after the last time it answers with 503',
    goesOn: 'decides again',
    spends: 'waits',
    enter: async (host, progress) => {
      await host.commits.ended({ waited: progress.spent.waits })
      progress.metersNeeded = undefined
      return undefined
    },
  },
  doubted: {
    when: 'a refusal, decided on cached rows',
    does: 'reads everything again',
    goesOn: 'decides again',
    spends: 'attempts',
    enter: (_, progress) => {
      progress.fresh = true
    },
  },
  refused: {
    when: 'a refusal, decided on rows that were read for this request',
    does: 'answers with the error',
    goesOn: 'ends',
    spends: undefined,
    enter: (_, __, { error }) => ({ kind: 'error', error }),
  },
  settled: {
    when: 'nothing changes',
    does: 'answers with the present record',
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
    does: 'reads the holders of the names, and everything else again',
    goesOn: 'decides again',
    spends: 'conflicts',
    enter: async (host, progress, { unit }) => {
      progress.held = await host.store.claimed(unit.claims.put)
      progress.fresh = true
      return undefined
    },
  },
  metersOvertaken: {
    when: 'a unit, and its commit finds newer meters',
    // All other rows are still right, and meters are read for every attempt.
    does: 'brings the newest meters',
    goesOn: 'decides again',
    spends: 'conflicts',
    enter: (_, progress, { unit }) => {
      const ids = unit.objectGuards.map(({ organizationId, objectId }) => ({ organizationId, objectId }))
      progress.metersNeeded = { ids, asTheyStand: false }
    },
  },
  overtaken: {
    when: 'a unit, and its commit finds another newer row',
    does: 'reads everything again',
    goesOn: 'decides again',
    spends: 'conflicts',
    enter: (_, progress) => {
      progress.fresh = true
    },
  },
  exhausted: {
    when: 'a unit, and its commit finds that it would exceed a quota',
    does: 'answers with the error; nothing is written',
    goesOn: 'ends',
    spends: undefined,
    enter: ({ world }, _, { decision, exhausted }) =>
      overQuota(exhausted, decision.unit.activity?.audience ?? [], world.now()),
  },
}

/** A state with its reason. */
type Reached<Name extends StateName = StateName> = {
  [One in Name]: { readonly state: One; readonly reason: Reasons[One] }
}[Name]

/** The state after an answer of the vault without a unit to commit. */
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
    case 'underWay': {
      const { ticket } = decision
      return ticket === undefined
        ? { state: 'underWayElsewhere', reason: decision }
        : { state: 'underWay', reason: { ticket } }
    }
    case 'refused':
      return { state: fresh ? 'refused' : 'doubted', reason: decision }
    case 'settled':
      return { state: 'settled', reason: decision }
  }
}

/** The state after a unit, by the outcome of its commit. */
export function stateAfter(decision: Decided<'commit'>, outcome: CommitResult): Reached {
  if (outcome.kind === 'committed') return { state: 'committed', reason: decision }
  if (outcome.kind === 'exhausted')
    return { state: 'exhausted', reason: { decision, exhausted: outcome.exhausted } }
  if (outcome.conflict === 'claim') return { state: 'nameTaken', reason: decision }
  const isOfMeters = outcome.conflict === 'object' && isGuardedByMetersAlone(decision.unit)
  return { state: isOfMeters ? 'metersOvertaken' : 'overtaken', reason: decision }
}

/** Takes the action of the state, and counts it. */
export async function enter<Name extends StateName>(
  host: Host,
  progress: Progress,
  { state, reason }: Reached<Name>,
): Promise<Next> {
  const { spends, enter: go } = states[state]
  const next = await go(host, progress, reason)
  if (spends !== undefined && spends !== 'rounds') spend(progress, spends)
  return next
}

function spend({ spent }: Progress, kind: keyof Progress['spent']): void {
  spent[kind] += 1
  if (spent[kind] < BOUNDS[kind]) return
  if (kind === 'waits') throw writtenElsewhere()
  throw new Error(`no attempt of ${spent.attempts + spent.conflicts} met an unchanged organization`)
}

const writtenElsewhere = defineFailure({
  kind: 'writtenElsewhere',
  code: UNAVAILABLE,
  say: () => 'another host is still writing what this request depends on; the same bytes may be sent again',
})

function isGuardedByMetersAlone({ objectGuards }: Unit): boolean {
  return objectGuards.every(({ kind }) => kind === USAGE_METER)
}
