import type { Answered } from '../../service/answered.ts'
import { say } from './words.ts'

/** A policy as it is written in the page; empty texts are absent. */
export type Terms = {
  readonly policyName: string
  readonly effect: string
  readonly condition: string
  readonly consensus: string
  readonly time: string
  readonly notes: string
}

/** In the place of the id of a policy that is not there yet. */
export const NEW_ID = 'new'

/** In the same place: templates, of which the next part of the address names one. */
export const TEMPLATES_PATH = 'templates'

export const NEW: Terms = {
  policyName: '',
  effect: 'EFFECT_ALLOW',
  condition: '',
  consensus: '',
  time: '',
  notes: '',
}

export function termsOf(policy: Answered): Terms {
  return {
    policyName: policy.text('policyName'),
    effect: policy.text('effect'),
    condition: policy.textOrNone('condition'),
    consensus: policy.textOrNone('consensus'),
    time: policy.textOrNone('time'),
    notes: policy.textOrNone('notes'),
  }
}

/** What somebody writes: a policy that there is already, or a new one. */
export type Written = { readonly policyId: string | undefined; readonly terms: Terms }

/** As a draft that is tried and replayed, in which each has a name in any case. */
export function draftOf(written: readonly Written[]): object {
  return {
    policies: written.map(({ policyId, terms: { notes: _, ...terms } }) => {
      const policyName = terms.policyName || say('new')
      return { ...(policyId === undefined ? {} : { policyId }), ...given(terms), policyName }
    }),
  }
}

export function isSame(one: Terms, other: Terms): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * Type and parameters of the one activity that makes it so. A change names every term, so that an approver sees all of
 * what the policy will say, and of two changes that meet one holds as it was read.
 */
export function changeOf(
  policyId: string | undefined,
  before: Terms,
  now: Terms,
): { readonly type: string; readonly parameters: object } {
  const { notes, ...terms } = now
  if (policyId === undefined)
    return { type: 'ACTIVITY_TYPE_CREATE_POLICY_V3', parameters: { ...given(terms), notes } }
  const parameters = {
    policyId,
    policyName: now.policyName,
    policyEffect: now.effect,
    ...expression('policyCondition', before.condition, now.condition),
    ...expression('policyConsensus', before.consensus, now.consensus),
    policyNotes: notes,
    time: now.time,
  }
  return { type: 'ACTIVITY_TYPE_UPDATE_POLICY_V2', parameters }
}

/** One that was absent, and stays so, cannot be asked for: the service refuses an empty one. */
function expression(name: string, before: string, now: string): object {
  return before === '' && now === '' ? {} : { [name]: now }
}

export function given(terms: object): object {
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== ''))
}
