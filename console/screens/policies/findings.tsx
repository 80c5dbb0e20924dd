import { useEffect, useRef, useState } from 'preact/hooks'
import type { Finding, LintedPolicy } from '../../../src/trusted/policy/lint/finding.ts'
import { Name } from '../../parts/name.tsx'
import { Problem } from '../../parts/problem.tsx'
import type { Answered } from '../../service/answered.ts'
import { plainText } from '../../words/plain-text.ts'
import { MarkedExcerpt } from './marked-excerpt.tsx'
import { given, NEW_ID, termsOf, type Terms } from './terms.ts'
import { say } from './words.ts'

type FindingsProps = {
  /** Of the policy that is written; a new one has none. */
  readonly policyId: string | undefined
  readonly terms: Terms
  readonly all: readonly Answered[]
  readonly hasGuard: boolean
}

/** What the lint says of a policy as it is typed, beside all others, and what it would newly say of these. */
export function Findings({ policyId = NEW_ID, terms, all, hasGuard }: FindingsProps) {
  const [found, setFound] = useState<readonly Finding[] | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)
  const before = useRef<{ readonly of: typeof all; readonly keys: ReadonlySet<string> } | undefined>(
    undefined,
  )
  useEffect(() => {
    let isLate = false
    const look = async (): Promise<void> => {
      const { findingsOf } = await import('./lint.ts')
      const stored = all.map((policy) => lintable(policy.text('policyId'), termsOf(policy)))
      const others = stored.filter((policy) => policy.policyId !== policyId)
      const lint = async (policies: readonly LintedPolicy[]) =>
        await findingsOf(policies, hasGuard, () => !isLate)
      const known = before.current?.of === all ? before.current.keys : keysOf(await lint(stored))
      const after = await lint([...others, lintable(policyId, terms)])
      if (known === undefined || after === undefined) return
      before.current = { of: all, keys: known }
      setFound(after.filter((one) => isToldHere(one, policyId, known)))
    }
    const timer = setTimeout(() => look().catch(setError), PAUSE_MS)
    return () => {
      isLate = true
      clearTimeout(timer)
    }
  }, [terms])
  if (error !== undefined) return <Problem error={error} />
  return (
    <>
      <h2>{say('findings')}</h2>
      <div role="status">
        {found === undefined && <p class="busy">{say('linting')}</p>}
        {found?.length === 0 && <p class="faint">{say('noFindings')}</p>}
        {found?.map((one, at) => (
          <Shown
            key={at}
            finding={one}
            policyId={policyId}
            terms={terms}
            nameOf={(id) => nameOf(id, terms, all)}
          />
        ))}
      </div>
    </>
  )
}

/** Longer than between two letters of somebody who types. */
const PAUSE_MS = 250

function lintable(policyId: string, { notes: _, ...terms }: Terms): LintedPolicy {
  // Terms have an effect, and as a text.
  return { policyId, ...given(terms) } as LintedPolicy
}

function keysOf(findings: readonly Finding[] | undefined): ReadonlySet<string> | undefined {
  return findings && new Set(findings.map((one) => JSON.stringify(one)))
}

/** Its field says already what cannot be read; what was found in others before is no matter of this policy. */
function isToldHere(finding: Finding, policyId: string, before: ReadonlySet<string>): boolean {
  return finding.policyId === policyId ? finding.what !== 'unreadable' : !before.has(JSON.stringify(finding))
}

function nameOf(id: string, terms: Terms, all: readonly Answered[]): string {
  if (id === NEW_ID) return terms.policyName
  return all.find((policy) => policy.text('policyId') === id)?.text('policyName') ?? id
}

function Shown({
  finding: { policyId: about, severity, why, place, others = [] },
  policyId,
  terms,
  nameOf,
}: {
  readonly finding: Finding
  readonly policyId: string
  readonly terms: Terms
  readonly nameOf: (id: string) => string
}) {
  const named = [...(about === policyId ? [] : [about]), ...others.filter((id) => id !== policyId)]
  return (
    <div class={`note ${TONES[severity]}`}>
      <p>
        <strong>{say(severity)}</strong> <span lang="en">{plainText(why)}</span>{' '}
        {place !== undefined && about === policyId && (
          <MarkedExcerpt text={terms[place.part]} start={place.start} end={place.end} />
        )}
      </p>
      {named.length > 0 && (
        <p class="hint">
          {say('withOthers')}{' '}
          {named.map((id, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <Name of={nameOf(id)} id={id} />
            </span>
          ))}
        </p>
      )}
    </div>
  )
}

const TONES = { danger: 'bad', warning: 'warn', note: '' } as const
