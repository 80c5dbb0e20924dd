import type { Work } from '../../base/work.ts'
import type { Ms } from '../../base/world.ts'
import type { Rehearsal, RehearsalCase, ReplayedUsage } from '../../catalogue/rehearsal.ts'
import type { VaultContext } from '../vault-context.ts'
import type { BroughtMeters, MetersNeeded } from '../../../protocol/vault.ts'
import { Tally } from '../decision/tally.ts'
import type { CountedUse } from './usage.ts'
import { metersNeeded, standingMeters } from './usage-meters.ts'

/** The policies: the current ones, or the draft. */
export type Side = 'now' | 'draft'

type UsedBefore = (use: CountedUse, side: Side) => bigint

/** The earlier usage for a rehearsed case. */
export type ReplayTotals = {
  /** @returns  the meters that must still be brought */
  readonly open: (
    uses: readonly CountedUse[],
    rehearsalCase: RehearsalCase,
    work: Work,
  ) => UsedBefore | MetersNeeded | Promise<UsedBefore | MetersNeeded>
  /** Counts the usage of a case that these policies allow. */
  readonly count: (side: Side, uses: readonly CountedUse[], rehearsalCase: RehearsalCase) => void
  /** The counted usage; undefined where nothing is counted. */
  readonly soFar: () => ReplayedUsage | undefined
}

export function replayTotalsOf(
  vaultContext: Pick<VaultContext, 'keyring' | 'memory' | 'world'>,
  { usage, meters }: { readonly usage: Rehearsal['usage']; readonly meters?: BroughtMeters },
): ReplayTotals {
  return usage === 'metered' ? metered(vaultContext, meters) : replayed(usage)
}

function metered(
  vaultContext: Pick<VaultContext, 'keyring' | 'memory' | 'world'>,
  brought: BroughtMeters | undefined,
): ReplayTotals {
  return {
    open: async (uses, { at, wasCarriedOut }, work) => {
      const steps = standingMeters(vaultContext, uses, brought, vaultContext.world.now())
      const opened = await work.through(steps)
      if (opened === undefined) return metersNeeded(uses)
      if (at === undefined) return (use) => opened.before(use)
      // The usage of a past request itself does not count as earlier usage.
      return (use) => withoutOwn(opened.beforeThen(use, at), wasCarriedOut === true ? use.total : 0n)
    },
    count: () => {},
    soFar: () => undefined,
  }
}

/** A meter that is newer than the request did not count it. */
function withoutOwn(used: bigint, own: bigint): bigint {
  return used < own ? 0n : used - own
}

function replayed(usage: ReplayedUsage): ReplayTotals {
  const tallies = { now: new Tally(usage.now), draft: new Tally(usage.draft) }
  let latest: Ms = 0
  return {
    open: (_, { at = 0 }) => {
      latest = Math.max(latest, at)
      return (use, side) => tallies[side].before(use, at)
    },
    // A request that was never carried out has no usage, even if it would be allowed now.
    count: (side, uses, { at = 0, wasCarriedOut }) => {
      if (wasCarriedOut === true) tallies[side].count(uses, at)
    },
    soFar: () => ({ now: tallies.now.soFar(latest), draft: tallies.draft.soFar(latest) }),
  }
}
