import type { Vault } from '../../protocol/vault.ts'
import type { Host } from '../pipeline/host.ts'
import { Counter, metric, Summary } from './metric.ts'

/** Counts of the calls to the vault and the store. */
type WorkMetrics = {
  readonly called: (call: string, seconds: number) => void
  readonly committed: (outcome: string, seconds: number) => void
  /** A durable record: its type and its present status. */
  readonly recorded: (activity: { readonly type: string; readonly status: string }) => void
  /** A request that this quota has refused. */
  readonly overQuota: (quota: string) => void
  /** @param error  the code of the interface, or `none` */
  readonly unauthenticated: (error: string) => void
  readonly text: () => string
}

export function workMetrics(): WorkMetrics {
  const calls = new Summary()
  const commits = new Summary()
  const activities = new Counter()
  const unauthenticated = new Counter()
  const refused = new Counter()
  return {
    called: (call, seconds) => calls.add(`call="${call}"`, seconds),
    committed: (outcome, seconds) => commits.add(`outcome="${outcome}"`, seconds),
    recorded: ({ type, status }) => activities.add(`type="${type}",status="${status}"`),
    overQuota: (quota) => refused.add(`quota="${quota}"`),
    unauthenticated: (error) => unauthenticated.add(`error="${error}"`),
    text: () =>
      [
        metric('vault_call_seconds', 'summary', 'Duration of calls to the vault, by call.', calls.values()),
        metric(
          'commit_seconds',
          'summary',
          'Time until a unit was durable or had a conflict, by outcome; concurrent units share a commit.',
          commits.values(),
        ),
        metric(
          'activities_total',
          'counter',
          'Records written, by type of activity and their resulting status.',
          activities.values(),
        ),
        metric(
          'quota_refusals_total',
          'counter',
          'Requests answered 429 because an organization was over a quota, by quota.',
          refused.values(),
        ),
        metric(
          'authentication_failures_total',
          'counter',
          'Requests answered 401, by the error code of the interface.',
          unauthenticated.values(),
        ),
      ].join(''),
  }
}

/** The host, with its calls of the vault and its commits counted. */
export function measuredHost(host: Host, measured: WorkMetrics): Host {
  const { commits } = host
  return {
    ...host,
    vault: measuredVault(host.vault, measured.called),
    commits: {
      ended: (ticket) => commits.ended(ticket),
      commit: async (unit) => {
        const from = performance.now()
        const outcome = await commits.commit(unit)
        const name = outcome.kind === 'conflict' ? outcome.conflict : outcome.kind
        measured.committed(name, (performance.now() - from) / 1_000)
        if (outcome.kind === 'exhausted') measured.overQuota(outcome.exhausted.quota)
        const row = unit.unit.activity?.row
        if (outcome.kind === 'committed' && row !== undefined) measured.recorded(row)
        return outcome
      },
    },
  }
}

function measuredVault(vault: Vault, called: WorkMetrics['called']): Vault {
  const timed = async <T>(name: string, answer: Promise<T>): Promise<T> => {
    const from = performance.now()
    try {
      return await answer
    } finally {
      called(name, (performance.now() - from) / 1_000)
    }
  }
  return {
    ...vault,
    decide: (request) => timed('decide', vault.decide(request)),
    identify: (request) => timed('identify', vault.identify(request)),
    check: (request) => timed('check', vault.check(request)),
    rehearse: (request) => timed('rehearse', vault.rehearse(request)),
  }
}
