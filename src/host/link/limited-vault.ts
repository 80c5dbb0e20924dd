import { FlowLimit } from '../../trusted/base/flow-limit.ts'
import type { CheckRequest, Vault } from '../../protocol/vault.ts'
import { lengthOfCall } from './length-of-call.ts'

/** Of one organization, in characters: some hundred usual calls, or one that is as long as one may be. */
const UNDER_WAY_MAX = 512 * 1024

/**
 * The vault with a bound on the calls under way for each organization. All calls share one socket in sequence, so short
 * calls would wait there behind long ones; here, calls wait only behind those of their own organization.
 */
export function limitedVault(vault: Vault): Vault {
  const limit = new FlowLimit(UNDER_WAY_MAX)
  return {
    ...vault,
    decide: (request) =>
      limit.run(request.charters[0]?.organizationId ?? '', lengthOfCall.decide(request), () =>
        vault.decide(request),
      ),
    identify: (request) =>
      limit.run(request.organizationId, lengthOfCall.identify(request), () => vault.identify(request)),
    check: (request) =>
      limit.run(organizationOf(request), lengthOfCall.check(request), () => vault.check(request)),
    rehearse: (request) =>
      limit.run(request.organizationId, lengthOfCall.rehearse(request), () => vault.rehearse(request)),
  }
}

function organizationOf({ charters, activities, objects }: CheckRequest): string {
  return (charters[0] ?? activities[0] ?? objects[0])?.organizationId ?? ''
}
