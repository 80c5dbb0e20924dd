import type { Submission } from '../../trusted/catalogue/submission.ts'
import type { StampHeaders } from '../../protocol/vault.ts'

/** A submission on its way through the pipeline. */
export type Carried = {
  readonly submission: Submission
  readonly body: string
  readonly stamp: StampHeaders
  readonly clientAddress?: string
  /** The target organization: the addressed one, or a sub-organization of it. */
  readonly organizationId: string
  /**
   * Called with the recipients of mails to root users, before the mails are written; an error that it throws is the
   * answer. Absent if these mails are not counted.
   */
  readonly admitMails?: ((addresses: readonly string[]) => void) | undefined
}
