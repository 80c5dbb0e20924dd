import { digestOf } from '../../base/joined.ts'
import type { Charter } from '../../charter/charter.ts'
import { policyDigest } from '../../charter/policy-text.ts'

/**
 * The digest of a charter in records, beside its version: over its users, policies, root quorum and the rest, each
 * hashed separately, so that one user or one policy can be proven to be part of it without revealing the others. 64 hex
 * digits.
 *
 * @param body  as stored: a later version that reads it with more fields computes the same digest
 */
export function charterDigest(body: string): string {
  // The vault has sealed it, and has never written one without these.
  const {
    users,
    policies = [],
    rootQuorum,
    ...rest
  } = JSON.parse(body) as Omit<Charter, 'policies'> & Partial<Pick<Charter, 'policies'>>
  return digestOf([
    'claviger charter 1',
    digestOf(['users', ...users.map((user) => digestOf(['user', JSON.stringify(user)]))]),
    digestOf(['policies', ...policies.map(policyDigest)]),
    digestOf(['root quorum', JSON.stringify(rootQuorum)]),
    digestOf(['rest', JSON.stringify(rest)]),
  ])
}
