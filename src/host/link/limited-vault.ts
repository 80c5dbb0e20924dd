import { FlowLimit } from '../../trusted/base/flow-limit.ts'
import type { CheckRequest, Vault } from '../../protocol/vault.ts'
import { lengthOfCall } from './length-of-call.ts'

/** Of one organization, in characters: some hundred usual calls, or one that is as long as one may be. */
const UNDER_WAY_MAX = 512 * 1024

/**
 * The vault, of which no organization has more than so much under way. All calls go over one socket, one behind the other, so
 * what is short would wait there for all that is long; what has to wait waits here, where it holds up its own organization alone.
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
