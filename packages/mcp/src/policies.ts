import { hash } from 'node:crypto'
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
 * The policies that are about this user: those that name the user or a tag of the user, and those that name nobody.
 * Others may still count, by an e-mail address for example; what decides is the service. Those that name the user come
 * first.
 */
export async function policiesOf(
  { query }: Service,
  { organizationId, userId, tagIds }: Agent,
  signal: AbortSignal,
): Promise<readonly Policy[]> {
  const { policies } = await query('list_policies', { organizationId }, listed, signal)
  const me = [userId, ...tagIds]
  const namesMe = (policy: Policy) => namedIn(policy).some((id) => me.includes(id))
  const ofAll = policies.filter((policy) => namedIn(policy).length === 0)
  return [...policies.filter(namesMe), ...ofAll]
}

const UUID = "'([0-9a-f]{8}-[0-9a-f-]{27})'"

/** Ids in the consensus, and those that the condition compares with the user who asks. */
function namedIn({ condition, consensus }: Policy): readonly string[] {
  const askers = new RegExp(
    `usage\\.user\\s*[!=]=\\s*${UUID}|\\[usage\\.user\\]\\.filter\\(\\w+, \\w+ == ${UUID}`,
    'g',
  )
  return [
    ...[...consensus.matchAll(new RegExp(UUID, 'g'))].map(([, id = '']) => id),
    ...[...condition.matchAll(askers)].map(([, compared, filtered]) => compared ?? filtered ?? ''),
  ]
}

/**
 * The sentence that `claviger agent create` keeps in the notes of a policy, with a digest of the text that it is about:
 * undefined where there is none, or where the policy was changed under it, also to one that holds at some times only.
 */
export function sentenceOf({ effect, condition, consensus, time = '', notes }: Policy): string | undefined {
  const [sentence = '', digest, ...more] = notes.split('\n')
  const wanted = hash('sha256', JSON.stringify([effect, condition, consensus])).slice(0, 16)
  const isUnchanged = digest === `text ${wanted}` && time === ''
  return isUnchanged && more.length === 0 ? sentence : undefined
}
