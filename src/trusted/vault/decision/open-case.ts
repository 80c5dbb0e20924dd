import type { Work } from '../../base/work.ts'
import type { Ms } from '../../base/world.ts'
import type { Submission } from '../../catalogue/submission.ts'
import type { BroughtNames, BroughtRows } from '../../../protocol/vault.ts'
import type { Case } from './authorize.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'
import { factsOf, preparedOf } from './facts.ts'
import { type OpenedRows, openRows } from './open-rows.ts'
import type { VaultContext } from '../vault-context.ts'
import { type CountedUse, usesOf } from '../usage/usage.ts'

// A request is judged in the same four steps, whether it is decided, voted on or rehearsed:
//
//   openedRows   What the activity needs is opened. Secrets are in it: its caller wipes it, whatever comes of the case.
//   openCase     What policies and signing see is prepared once; the facts follow, and what they use of limits.
//   openMeters   What was used before is looked up; where it was not brought, the host is asked for it, and nothing is
//                decided.
//   authorize    Root quorum, policies and own credentials say whether who approves may have it.
//
// What differs between the three:
//
//                       decide.ts                    vote.ts                               rehearse.ts
//   the request is      what was stamped             what the first vote has stamped       a body without a stamp
//   it is live          for an hour                  while votes count; the vote is live   always
//   a proven contact    that of its stamp            that of the first vote                none
//   scope of a session  asked once meters are there  asked of the vote, before the rows    not asked
//   dear work           once something could allow   the same, after the rows; not asked   within what one rehearsal
//                       it, `validate` included      of a user who has voted               may cost
//   approvals           its own                      all that are proven again, and its    those that the case names
//                                                    own; MFA of each
//   then                a record, carried out when   the record one revision on, carried   a judgement alone
//                       allowed                      out when allowed

/** The rows that the activity needs, opened as far as they were brought. The caller wipes them. */
export function openedRows(
  vaultContext: Pick<VaultContext, 'keyring' | 'memory'>,
  of: {
    readonly submission: Submission
    /** The id of the verification token of the stamp. */
    readonly tokenId: string | undefined
    readonly brought: { readonly rows: BroughtRows; readonly taken: BroughtNames }
    readonly now: Ms
  },
  work: Work,
): OpenedRows | Promise<OpenedRows> {
  const { activity, newest, organizationId } = of.submission
  const { rows, taken } = of.brought
  const needs = activity.needs?.(newest, of.tokenId) ?? {}
  return work.through(openRows(vaultContext, organizationId, needs, { rows, taken, now: of.now }))
}

/** A request as these policies judge it. */
export type OpenedCase = Case & {
  /** The value that the activity prepared, for policies and for carrying out. */
  readonly prepared: unknown
  /** The amount that it would add to each meter of these policies. */
  readonly uses: readonly CountedUse[]
}

/** @param compiled  the charter whose policies decide */
export async function openCase(
  {
    submission,
    rows,
    proposerId,
    compiled,
    now,
  }: {
    readonly submission: Submission
    readonly rows: OpenedRows
    readonly proposerId: string
    readonly compiled: CompiledCharter
    readonly now: Ms
  },
  work: Work,
): Promise<OpenedCase> {
  const { activity, newest: intent } = submission
  const prepared = await work.through(preparedOf(submission, rows))
  const facts = factsOf(submission, rows, { prepared, proposerId })
  const uses = await work.through(usesOf(compiled, facts))
  return { activity, intent, facts, compiled, proposerId, now, prepared, uses }
}

/** The same request under other policies. */
export async function judgedBy(
  compiled: CompiledCharter,
  opened: OpenedCase,
  work: Work,
): Promise<OpenedCase> {
  return { ...opened, compiled, uses: await work.through(usesOf(compiled, opened.facts)) }
}
