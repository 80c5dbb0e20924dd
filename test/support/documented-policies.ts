import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { present } from '../../src/trusted/base/assert.ts'
import type { Member } from './service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A policy as a page of the documentation shows it. */
type DocumentedPolicy = {
  readonly page: string
  readonly effect: 'EFFECT_ALLOW' | 'EFFECT_DENY'
  readonly condition: string
  readonly consensus: string
}

/**
 * Every policy that README, docs and examples show as one: lines `effect`, `condition` and `consensus` in any order, or
 * JSON.
 */
export function documentedPolicies(): readonly DocumentedPolicy[] {
  const pages = globSync(['README.md', 'docs/**/*.md', 'examples/**/*.json'], { cwd: root }).toSorted()
  return pages.flatMap((page) => {
    const text = readFileSync(`${root}/${page}`, 'utf8')
    return page.endsWith('.json') ? inJson(page, JSON.parse(text)) : inMarkdown(page, text)
  })
}

/** The one that the auth proxy needs, for this member. */
export function authProxyPolicy(member: Pick<Member, 'userId' | 'organizationId'>) {
  const shown = documentedPolicies().find(({ page }) => page.endsWith('/auth-proxy.md'))
  return ownPolicy(present(shown, 'the policy on the page about the auth proxy'), member)
}

/** With the places filled in that the reader fills in. */
export function ownPolicy(
  { effect, condition, consensus }: DocumentedPolicy,
  { userId, organizationId }: Pick<Member, 'userId' | 'organizationId'>,
) {
  return {
    policyName: `As documented, for ${userId}`,
    effect,
    condition: condition.replaceAll("'PARENT'", `'${organizationId}'`),
    consensus: consensus.replaceAll("'…'", `'${userId}'`),
    notes: '',
  }
}

function inMarkdown(page: string, text: string): readonly DocumentedPolicy[] {
  const fences = [...text.matchAll(/^```[a-z]*\n(.*?)^```/gms)].map(([, inside = '']) => inside)
  return fences.flatMap((fence) => {
    const part = (name: string) => new RegExp(`^${name} +(\\S.*)$`, 'm').exec(fence)?.[1]
    return read(page, { effect: part('effect'), condition: part('condition'), consensus: part('consensus') })
  })
}

function inJson(page: string, json: unknown): readonly DocumentedPolicy[] {
  const entries: readonly unknown[] = Array.isArray(json) ? json : []
  return entries.flatMap((entry) => read(page, Object(entry)))
}

/** What lacks a condition or a consensus shows a piece of the language, and no policy. */
function read(
  page: string,
  { effect, condition, consensus }: { effect?: unknown; condition?: unknown; consensus?: unknown },
): readonly DocumentedPolicy[] {
  if (typeof condition !== 'string' || typeof consensus !== 'string') return []
  return [{ page, effect: effect === 'EFFECT_DENY' ? 'EFFECT_DENY' : 'EFFECT_ALLOW', condition, consensus }]
}
