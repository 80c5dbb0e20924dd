import type { JsonAnswer, Member, TestService } from '../support/service.ts'

/** `by` is a root user, alone in the root quorum of their organization. */
export type Setting = {
  readonly service: TestService
  readonly by: Member
  /** The declaration's own example; ids in it name nothing here. */
  readonly example: JsonAnswer
}

export type Prepared = {
  /** Who makes the request, where it is not the root user. */
  readonly by?: Member
  /** In the newest form. */
  readonly parameters: JsonAnswer
  /**
   * The same request in older forms, by type, where one is not simply the newest without the fields it does not have.
   */
  readonly older?: { readonly [type: string]: object }
}

/**
 * Makes what an example needs before it can be asked for, and answers the example with the ids of what was made. It
 * stands beside the activity or the query, in `testing/<operation>.fixture.ts`, and only where the ids alone do not
 * make the example run.
 */
export type Fixture = (setting: Setting) => Prepared | Promise<Prepared>
