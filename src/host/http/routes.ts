import type { Activity } from '../../trusted/catalogue/activity.ts'
import type { Query } from '../../trusted/catalogue/query.ts'
import type { Submission } from '../../trusted/catalogue/submission.ts'
import { mailboxOf } from '../../trusted/charter/mailbox.ts'
import { answer } from '../pipeline/answer.ts'
import type { Host } from '../pipeline/host.ts'
import { submit } from '../pipeline/submit.ts'
import { withinLimits } from './rate-limited.ts'
import type { Messages, RateLimits } from './rate-limits.ts'
import type { Route } from './route.ts'

/** The routes of the interface, derived from the two lists; without limits where none are given. */
export function interfaceRoutes(
  host: Host,
  {
    activities,
    queries,
    limits,
  }: {
    readonly activities: readonly Activity[]
    readonly queries: readonly Query[]
    readonly limits?: RateLimits | undefined
  },
): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>()
  for (const activity of activities) {
    const { operation } = activity
    routes.set(
      `POST /public/v1/submit/${operation}`,
      limits === undefined
        ? (call) => submit(host, { operation, ...call })
        : withinLimits(limits, (call, { admit, write, spend }) =>
            submit(host, {
              operation,
              ...call,
              spend,
              admit: ({ organizationId, newest }) =>
                admit({
                  ...shareOf(activity, organizationId),
                  messages: messagesOf(activity, organizationId, newest),
                }),
              ...(activity.writesToRoots === undefined
                ? {}
                : { admitMails: (submission, addresses) => write(toRoots(submission, addresses)) }),
            }),
          ),
    )
  }
  for (const query of queries) {
    routes.set(
      `POST /public/v1/query/${query.operation}`,
      limits === undefined
        ? (call) => answer(host, query, call)
        : withinLimits(limits, (call, { admit, spend }) =>
            answer(host, query, {
              ...call,
              spend,
              admit: (organization) => admit({ organization }),
            }),
          ),
    )
  }
  return routes
}

/**
 * The organization whose share an activity uses. There is none where users of sub-organizations may send their parent's
 * id: they could use up the parent's share.
 */
function shareOf(
  { findsSubOrganization }: Pick<Activity, 'findsSubOrganization'>,
  organization: string,
): { readonly organization?: string } {
  return findsSubOrganization === true ? {} : { organization }
}

/** Mails to root users, at these addresses. */
function toRoots({ activity, organizationId, newest }: Submission, addresses: readonly string[]): Messages {
  return {
    asker: `${organizationId} `,
    mailboxes: addresses.map(mailboxOf),
    inAnyCase: activity.writesToRoots?.(newest) === 'inAnyCase',
  }
}

/** The recipients of messages, and the asker: a user of the organization where the request names one. */
export function messagesOf({ writesTo }: Activity, organizationId: string, intent: unknown): Messages {
  const { contacts = [], asker = '' } = writesTo?.(intent) ?? {}
  return { asker: `${organizationId} ${asker}`, mailboxes: contacts.map(mailboxOf) }
}
