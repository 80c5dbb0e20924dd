import { digestOf } from '../base/joined.ts'
import type { Charter } from '../charter/charter.ts'
import { policyDigest } from '../charter/policy-text.ts'

/**
 * What a record names a charter by, beside its version: over its users, its policies, its root quorum and the rest, each of them
 * apart, so that one user or one policy can be shown to have been in it without showing the others. 64 hex digits.
 *
 * @param body  as it is stored: a later version that reads it with more fields comes to the same
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
