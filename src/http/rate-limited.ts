import { Failure, PERMISSION_DENIED, UNAUTHENTICATED } from '../base/failure.ts'
import { requireOneStamp, type Stamp } from '../crypto/stamp.ts'
import type { Reply } from '../pipeline/submit.ts'
import type { RateLimits, Subjects } from './rate-limits.ts'
import type { Call, Route } from './server.ts'

/** Handed on to what reads the request, which calls it with what the request names. @throws TooManyRequests */
export type Admit = (named: Pick<Subjects, 'organization' | 'contact'>) => void

/**
 * A route within the limits. The address is counted at once. Credential, organization and contact are only looked at, and
 * counted afterwards for whoever has proven to be theirs: with a name and a wrong signature nobody uses up another's share.
 */
export function withinLimits(limits: RateLimits, carry: (call: Call, admit: Admit) => Promise<Reply>): Route {
  return async (call) => {
    limits.arrive('address', call.clientAddress)
    const stamp = stampOf(call)
    const credential = stamp && credentialOf(stamp)
    const counted: { subjects: Subjects } = { subjects: {} }
    const reply = await carry(call, (named) => {
      counted.subjects = { ...named, ...(credential === undefined ? {} : { credential }) }
      limits.check(counted.subjects)
    })
    const { contact, ...rest } = counted.subjects
    if (isProven(reply, stamp)) limits.charge(rest)
    if (reply.kind === 'ok' && contact !== undefined) limits.charge({ contact })
    return reply
  }
}

/** What is wrong with a stamp is for the vault to say. */
function stampOf({ stamp }: Call): Stamp | undefined {
  try {
    return requireOneStamp(stamp)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

function credentialOf(stamp: Stamp): string | undefined {
  if (stamp.kind === 'apiKey') return stamp.publicKey
  return stamp.kind === 'webauthn' ? stamp.credentialId : undefined
}

/** Whether the vault came past the question whose request it is. A token that was not good fails in many ways, a registered credential in few. */
function isProven(reply: Reply, stamp: Stamp | undefined): boolean {
  if (reply.kind === 'ok') return true
  const { code, turnkeyErrorCode = '' } = reply.error
  if (stamp?.kind !== 'apiKey' && stamp?.kind !== 'webauthn') return code === PERMISSION_DENIED
  return code !== UNAUTHENTICATED && !NOT_FOUND_CODES.includes(turnkeyErrorCode)
}

const NOT_FOUND_CODES = ['ORGANIZATION_NOT_FOUND', 'PUBLIC_KEY_NOT_FOUND', 'CREDENTIAL_NOT_FOUND']
