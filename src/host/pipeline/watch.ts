import type { Vault } from '../../protocol/vault.ts'
import type { Host } from './host.ts'

/**
 * What is noted of a request while it is carried, for the log of requests. Times are in milliseconds; of several calls
 * the sum. Where nobody keeps such a log there is no watch, and nothing is measured.
 */
export type Watch = {
  readonly id: string
  /** Named by the request; a sub-organization where the request is decided there. */
  organizationId: string | undefined
  /** Known to the vault. */
  userId: string | undefined
  activityId: string | undefined
  activityStatus: string | undefined
  /** Until the whole of the request had come, and it was its turn. */
  bodyMs: number
  vaultMs: number
  commitMs: number
  outsideMs: number
  /** Each call, where its time is told one by one. */
  readonly stages: Stage[] | undefined
}

type StageName = 'vault' | 'commit' | 'outside'

/** Times are of `performance.now()`. */
type Stage = { readonly name: StageName; readonly from: number; readonly to: number }

/** A request that meets many conflicts tells of the first calls. */
const STAGES_MAX = 64

export function newWatch(id: string, { tellsStages }: { readonly tellsStages: boolean }): Watch {
  return {
    id,
    organizationId: undefined,
    userId: undefined,
    activityId: undefined,
    activityStatus: undefined,
    bodyMs: 0,
    vaultMs: 0,
    commitMs: 0,
    outsideMs: 0,
    stages: tellsStages ? [] : undefined,
  }
}

/** The host for one request, whose stages are noted. */
export function watched(host: Host, watch: Watch | undefined): Host {
  if (watch === undefined) return host
  const { commits, outside } = host
  return {
    ...host,
    vault: watchedVault(host.vault, watch),
    commits: {
      commit: (unit) => timed(commits.commit(unit), watch, 'commit'),
      ended: (ticket) => commits.ended(ticket),
    },
    outside: (question) => timed(outside(question), watch, 'outside'),
  }
}

function watchedVault(vault: Vault, watch: Watch): Vault {
  const call = <T>(answer: Promise<T>): Promise<T> => timed(answer, watch, 'vault')
  return {
    ...vault,
    decide: async (request) => {
      const decision = await call(vault.decide(request))
      if (request.subOrganizationId !== undefined) watch.organizationId = request.subOrganizationId
      const row =
        decision.kind === 'commit'
          ? decision.unit.activity?.row
          : decision.kind === 'settled'
            ? decision.row
            : undefined
      if (decision.kind === 'commit' || decision.kind === 'settled') watch.userId = decision.userId
      watch.activityId = row?.activityId
      watch.activityStatus = row?.status
      return decision
    },
    identify: async (request) => {
      const identified = await call(vault.identify(request))
      if (identified.kind === 'signer') watch.userId = identified.userId
      watch.organizationId = request.organizationId
      return identified
    },
    check: (request) => call(vault.check(request)),
    rehearse: (request) => call(vault.rehearse(request)),
  }
}

async function timed<T>(answer: Promise<T>, watch: Watch, name: StageName): Promise<T> {
  const from = performance.now()
  try {
    return await answer
  } finally {
    const to = performance.now()
    watch[`${name}Ms`] += to - from
    if (watch.stages !== undefined && watch.stages.length < STAGES_MAX) watch.stages.push({ name, from, to })
  }
}
