import { FlowLimit } from '../base/flow-limit.ts'
import type { Policy } from '../charter/charter.ts'
import type { BroughtRows, CheckRequest, OfferedCharter, Vault } from '../vault/protocol.ts'

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
    decide: (request) => {
      const { body, charters, rows, target } = request
      const length = body.length + textOf(charters) + textOfAll(rows) + (target?.votes.length ?? 0)
      return limit.run(charters[0]?.organizationId ?? '', length, () => vault.decide(request))
    },
    identify: (request) =>
      limit.run(request.organizationId, request.body.length + textOf(request.charters), () =>
        vault.identify(request),
      ),
    check: (request) => limit.run(organizationOf(request), checkedText(request), () => vault.check(request)),
    rehearse: (request) => {
      const cases = request.cases.reduce((sum, { body, rows }) => sum + body.length + textOfAll(rows), 0)
      const drafted = request.draft?.put.reduce((sum, policy) => sum + policyText(policy), 0) ?? 0
      return limit.run(request.organizationId, cases + drafted + textOf(request.charters), () =>
        vault.rehearse(request),
      )
    },
  }
}

function textOf(rows: readonly Pick<OfferedCharter, 'body'>[]): number {
  return rows.reduce((sum, { body = '' }) => sum + body.length, 0)
}

function textOfAll(rows: BroughtRows): number {
  let sum = 0
  for (const name in rows) sum += textOf(rows[name] ?? [])
  return sum
}

function policyText({ condition = '', consensus = '', notes }: Policy): number {
  return condition.length + consensus.length + notes.length
}

function checkedText({ charters, activities, objects }: CheckRequest): number {
  const records = activities.reduce((sum, { votes, intent }) => sum + votes.length + intent.length, 0)
  return textOf(charters) + textOf(objects) + records
}

function organizationOf({ charters, activities, objects }: CheckRequest): string {
  return (charters[0] ?? activities[0] ?? objects[0])?.organizationId ?? ''
}
