import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Answered } from '../../../service/answered.ts'
import { NEW, type Terms, termsOf } from '../terms.ts'

type Written = {
  readonly stored: Terms
  /** As they stand in the page. */
  readonly terms: Terms
  readonly change: (changed: Partial<Terms>) => void
}

/**
 * The terms of a policy as they are stored, but for those that were typed. Once somebody else has stored others, these
 * stand in the page too, beside what was typed.
 *
 * @param known  undefined for a new policy
 */
export function useTerms(known: Answered | undefined): Written {
  const [typed, setTyped] = useState<Partial<Terms>>({})
  const stored = useMemo(() => (known === undefined ? NEW : termsOf(known)), [known])
  const terms = useMemo(() => ({ ...stored, ...typed }), [stored, typed])
  useEffect(() => setTyped((before) => otherThan(stored, before)), [stored])
  return { stored, terms, change: (changed) => setTyped(otherThan(stored, { ...typed, ...changed })) }
}

/** What is stored as it was typed counts as typed no longer. */
function otherThan(stored: Terms, typed: Partial<Terms>): Partial<Terms> {
  const fields = new Map<string, string>(Object.entries(stored))
  return Object.fromEntries(Object.entries(typed).filter(([name, text]) => text !== fields.get(name)))
}
