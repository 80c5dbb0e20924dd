import * as z from 'zod'
import type { Agent } from './agent.ts'
import type { Service } from './service.ts'

const policy = z.object({
  policyId: z.string(),
  policyName: z.string(),
  effect: z.enum(['EFFECT_ALLOW', 'EFFECT_DENY']),
  notes: z.string(),
  condition: z.string(),
  consensus: z.string(),
  time: z.string().optional(),
})

export type Policy = z.infer<typeof policy>

const listed = z.object({ policies: z.array(policy) })

/**
 * The policies that are about this user: those that deny, and those whose consensus names the user or a tag of the user,
 * or nobody in particular. Others may still count, by an e-mail address for example; what decides is the service.
 */
export async function policiesOf(
  { query }: Service,
  { organizationId, userId, tagIds }: Agent,
  signal: AbortSignal,
): Promise<readonly Policy[]> {
  const { policies } = await query('list_policies', { organizationId }, listed, signal)
  return policies.filter(
    ({ effect, consensus }) =>
      effect === 'EFFECT_DENY' ||
      !/'[0-9a-f]{8}-[0-9a-f-]{27}'/.test(consensus) ||
      [userId, ...tagIds].some((id) => consensus.includes(id)),
  )
}
