import { type Answered, StrangeAnswer } from '../service/answered.ts'
import { post, Refused, Unanswered, Unreachable } from '../service/post.ts'
import type { Stamper } from '../service/stamp.ts'
import { watched } from '../service/stream.ts'

/** Somebody who has signed in: who it is, and how this page asks in their name. */
export type Session = Member & {
  readonly way: 'passkey' | 'key'
  /** In milliseconds since 1970. */
  readonly expiresAt: number
  /** Reads something, of the own organization unless the body names another. */
  readonly query: (operation: string, body?: object) => Promise<Answered>
  /** Tells of changes in the own organization, until there is no stream any more. */
  readonly watch: (onChange: () => void, signal: AbortSignal) => Promise<void>
  /**
   * Asks for something to be done, in the own organization unless another is given; with a passkey it is a gesture over
   * these very bytes. What is asked for again after its answer was lost is the same request, so that it is done once.
   *
   * @returns the activity, which may wait for others
   * @throws  Unanswered where nobody knows whether it is done, as `send` does
   */
  readonly submit: (type: string, parameters: object, organizationId?: string) => Promise<Answered>
  /** A request whose bytes are to be shown before anybody stamps them. */
  readonly draft: (type: string, parameters: object) => Draft
  /** Asks for what a draft says, as these very bytes. */
  readonly send: (draft: Draft) => Promise<Answered>
}

/** The bytes of a request, as they will be stamped. */
export type Draft = { readonly type: string; readonly body: string }

export type Member = {
  readonly organizationId: string
  readonly organizationName: string
  readonly userId: string
  readonly userName: string
}

/**
 * @param read   stamps what is only read
 * @param write  stamps what changes something
 */
export function openSession(
  member: Member,
  terms: Pick<Session, 'way' | 'expiresAt'> & { readonly read: Stamper; readonly write: Stamper },
): Session {
  const { organizationId } = member
  const { read, write, ...rest } = terms
  const send = (draft: Draft): Promise<Answered> => sent(draft, write).catch(orUnanswered)
  const unanswered = new Map<string, Draft>()
  const submit = async (wish: Wish): Promise<Answered> => {
    const asked = JSON.stringify(wish)
    const draft = unanswered.get(asked) ?? drafted(wish)
    try {
      const activity = await send(draft)
      // What stands may be another by this: the same wish is a new one from here on.
      unanswered.clear()
      return activity
    } catch (error) {
      if (error instanceof Unanswered || (error instanceof Refused && error.status >= 500))
        unanswered.set(asked, draft)
      // A host that has too much to do has not looked at it.
      else if (error instanceof Refused && error.status !== 429) unanswered.delete(asked)
      throw error
    }
  }
  return {
    ...member,
    ...rest,
    query: (operation, body = {}) => queried(operation, { organizationId, ...body }, read),
    watch: (onChange, signal) => watched(organizationId, read, { onChange, signal }),
    submit: (type, parameters, where = organizationId) => submit({ type, organizationId: where, parameters }),
    draft: (type, parameters) => drafted({ type, organizationId, parameters }),
    send,
  }
}

async function queried(operation: string, body: object, stamper: Stamper): Promise<Answered> {
  return await post(`query/${operation}`, JSON.stringify(body), stamper)
}

type Wish = { readonly type: string; readonly organizationId: string; readonly parameters: object }

export async function submitted(wish: Wish, stamper: Stamper): Promise<Answered> {
  return await sent(drafted(wish), stamper)
}

function drafted({ type, organizationId, parameters }: Wish): Draft {
  return { type, body: JSON.stringify({ type, timestampMs: String(Date.now()), organizationId, parameters }) }
}

async function sent({ type, body }: Draft, stamper: Stamper): Promise<Answered> {
  return (await post(`submit/${operationOf(type)}`, body, stamper)).object('activity')
}

/** It has been sent, and what came back says nothing of it, such as a page of a proxy that has not waited. */
function orUnanswered(error: unknown): never {
  if (error instanceof Unreachable || error instanceof StrangeAnswer) throw new Unanswered()
  throw error
}

/** `ACTIVITY_TYPE_CREATE_USERS_V3` is submitted to `create_users`. */
function operationOf(type: string): string {
  return type
    .replace(/^ACTIVITY_TYPE_/, '')
    .replace(/_V\d+$/, '')
    .toLowerCase()
}

/** Who the service says that a stamp is of. */
export async function memberOf(stamper: Stamper, organizationId: string): Promise<Member> {
  const answer = await queried('whoami', { organizationId }, stamper)
  return {
    organizationId: answer.text('organizationId'),
    organizationName: answer.text('organizationName'),
    userId: answer.text('userId'),
    userName: answer.text('username'),
  }
}
