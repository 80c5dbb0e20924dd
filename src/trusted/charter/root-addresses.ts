import type { Charter } from './charter.ts'

/** The e-mail addresses of the root users who have one, each once. */
export function rootAddresses({ users, rootQuorum }: Charter): readonly string[] {
  const roots = new Set(rootQuorum.userIds)
  const addresses = users.flatMap(({ userId, userEmail }) =>
    roots.has(userId) && userEmail !== undefined ? [userEmail] : [],
  )
  return [...new Set(addresses)]
}
