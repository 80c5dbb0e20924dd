import type { Vault } from '../../protocol/vault.ts'
import type { Host } from './host.ts'

/**
 * The measurements of a request for the log of requests. Times are in milliseconds; several calls are added up. Without
 * such a log there is no watch, and nothing is measured.
 */
export type Watch = {
  readonly id: string
  /** The organization that the request names; the sub-organization, if the request is decided there. */
  organizationId: string | undefined
  /** The user, once the vault has identified the signer. */
  userId: string | undefined
  activityId: string | undefined
  activityStatus: string | undefined
  /** The time until the whole request had arrived, and had its turn. */
  bodyMs: number
  vaultMs: number
  commitMs: number
  outsideMs: number
  /** The times of single calls, if they are wanted. */
  readonly stages: Stage[] | undefined
}

type StageName = 'vault' | 'commit' | 'outside'

/** Times are of `performance.now()`. */
type Stage = { readonly name: StageName; readonly from: number; readonly to: number }

/** For a request with many conflicts, only the first calls are kept. */
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

/** The host for one request, with its stages measured. */
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
    outside: (question, asker) => timed(outside(question, asker), watch, 'outside'),
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
