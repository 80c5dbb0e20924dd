import { walletAccounts, privateKeyAccounts, type Account } from './accounts.ts'
import type { Agent } from './agent.ts'
import { tried } from './explanation.ts'
import { type Limit, limitsIn } from './limits.ts'
import type { Policy } from './policies.ts'
import { nothingSent } from './nothing-sent.ts'
import type { Service } from './service.ts'
import { ToolError } from './tool-error.ts'

/** How much of a limit is used by an account, whatever is asked for next. */
export type UsedLimit = Omit<Limit, 'hasRoom'> & { readonly signWith: string }

/**
 * What is used of the limits, found out by trying a request that uses none: a transfer of nothing on Ethereum, for each
 * account that the policies name. A limit on other chains shows when a request for them is tried.
 */
export async function probedLimits(
  service: Service,
  me: Agent,
  policies: readonly Policy[],
  signal: AbortSignal,
): Promise<readonly UsedLimit[]> {
  const limited = policies.filter(({ condition }) => condition.includes('usage.'))
  if (limited.length === 0) return []
  const named = await accountsNamed(service, me, limited, signal)
  const found = await Promise.all(
    named.slice(0, PROBES_MAX).map((account) => probe(service, me, { account, limited }, signal)),
  )
  return found.flat()
}

const PROBES_MAX = 5

async function accountsNamed(
  service: Service,
  { organizationId }: Agent,
  limited: readonly Policy[],
  signal: AbortSignal,
): Promise<readonly Account[]> {
  const [{ accounts }, keys] = await Promise.all([
    walletAccounts(service, { organizationId }, signal),
    privateKeyAccounts(service, organizationId, signal),
  ])
  const ethereum = [...accounts, ...keys].filter(({ chain }) => chain === 'ethereum')
  const text = limited.map(({ condition }) => condition.toLowerCase()).join(' ')
  const isNamed = ({ signWith, walletId, privateKeyId }: Account) =>
    [signWith, walletId, privateKeyId].some(
      (id) => id !== undefined && text.includes(`'${id.toLowerCase()}'`),
    )
  const named = ethereum.filter(isNamed)
  return named.length > 0 ? named : ethereum
}

async function probe(
  service: Service,
  { organizationId }: Agent,
  { account, limited }: { readonly account: Account; readonly limited: readonly Policy[] },
  signal: AbortSignal,
): Promise<readonly UsedLimit[]> {
  const { signWith } = account
  const chainId = /eth\.tx\.chain_id (?:==|in \[) ?(\d+)/.exec(
    limited.map(({ condition }) => condition).join(' '),
  )?.[1]
  const parameters = {
    signWith,
    unsignedTransaction: nothingSent(signWith, BigInt(chainId ?? 1)),
    type: 'TRANSACTION_TYPE_ETHEREUM',
  }
  const asked = { organizationId, type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters, explain: true }
  try {
    const { judgement } = await service.query('try_activity', asked, tried, signal)
    return judgement.explanations
      .flatMap(({ policies }) => policies)
      .filter(({ policyId }) => limited.some((policy) => policy.policyId === policyId))
      .flatMap(limitsIn)
      .map(({ hasRoom: _hasRoom, ...limit }) => ({ ...limit, signWith }))
  } catch (error) {
    // An account that cannot be asked about leaves the others, and the policies, to be shown.
    if (error instanceof ToolError) return []
    throw error
  }
}
