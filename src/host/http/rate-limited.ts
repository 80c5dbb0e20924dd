import { costs } from '../../trusted/base/costs.ts'
import type { Units } from '../../trusted/base/work.ts'
import { Failure, PERMISSION_DENIED, UNAUTHENTICATED } from '../../trusted/base/failure.ts'
import { requireOneStamp } from '../../trusted/crypto/stamp.ts'
import type { Reply } from '../pipeline/reply.ts'
import type { Messages, RateLimits, Subjects } from './rate-limits.ts'
import type { Answer, Call, Route } from './route.ts'

/** Handed on to what carries the request. */
type Account = {
  /** To be called with what the request names, before anything is done for it. @throws TooManyRequests */
  readonly admit: (named: Pick<Subjects, 'organization'> & { readonly messages?: Messages }) => void
  /** To be told what is done for it. */
  readonly spend: (units: Units) => void
}

/**
 * A route within the limits. The address is counted at once, and messages too, until it is known that none is sent: many
 * requests at the same time send no more than one after the other. Credential and organization are only looked at, and counted
 * afterwards for whoever has proven to be theirs: with a name and a wrong signature nobody uses up another's share.
 * A request that costs as much as several counts as several.
 */
export function withinLimits(
  limits: RateLimits,
  carry: (call: Call, account: Account) => Promise<Answer>,
): Route {
  return async (call) => {
    limits.arrive('address', call.clientAddress)
    limits.chargeAddress(call.clientAddress, call.body.length * costs.bodyCharacter)
    const { isRegistered, credential } = signerNamedIn(call)
    // Before the body is read: a megabyte takes longer than all of the limits.
    if (credential !== undefined) limits.check({ credential })
    const counted: { subjects: Subjects; units: Units; unwrite: () => void } = {
      subjects: {},
      units: 0,
      unwrite: () => {},
    }
    const account: Account = {
      admit: ({ messages, ...named }) => {
        counted.subjects = { ...named, ...(credential === undefined ? {} : { credential }) }
        limits.check(named)
        if (messages !== undefined) counted.unwrite = limits.write(messages)
      },
      spend: (units) => {
        counted.units += units
      },
    }
    let sends = false
    try {
      const reply = await carry(call, account)
      sends = reply.kind === 'ok'
      if (isProven(reply, isRegistered)) limits.charge(counted.subjects, counted.units)
      return reply
    } finally {
      limits.chargeAddress(call.clientAddress, counted.units)
      if (!sends) counted.unwrite()
    }
  }
}

type Named = {
  /** It is stamped with what is registered, and not with a token. */
  readonly isRegistered: boolean
  readonly credential?: string
}

/** Who the stamp says that it is by. What is wrong with it is for the vault to say. */
function signerNamedIn({ stamp }: Call): Named {
  // As published clients write it: reading every header to the letter here too would cost more than all of the limits.
  const usual = USUAL_STAMP.exec(Buffer.from(stamp.xStamp ?? '', 'base64url').toString('latin1'))?.[1]
  if (usual !== undefined) return { isRegistered: true, credential: usual.toLowerCase() }
  try {
    const read = requireOneStamp(stamp)
    if (read.kind === 'apiKey') return { isRegistered: true, credential: read.publicKey }
    return read.kind === 'webauthn'
      ? { isRegistered: true, credential: read.credentialId }
      : { isRegistered: false }
  } catch (error) {
    if (error instanceof Failure) return { isRegistered: false }
    throw error
  }
}

const USUAL_STAMP =
  /^\{"publicKey":"([0-9a-fA-F]{64,66})","scheme":"[A-Z0-9_]+","signature":"[0-9a-fA-F]+"\}$/

/** Whether the vault came past the question whose request it is. A token that was not good fails in many ways, a registered credential in few. */
function isProven(reply: Reply, isRegistered: boolean): boolean {
  if (reply.kind === 'ok') return true
  const { code, turnkeyErrorCode = '' } = reply.error
  if (!isRegistered) return code === PERMISSION_DENIED
  return code !== UNAUTHENTICATED && !NOT_FOUND_CODES.includes(turnkeyErrorCode)
}

const NOT_FOUND_CODES = ['ORGANIZATION_NOT_FOUND', 'PUBLIC_KEY_NOT_FOUND', 'CREDENTIAL_NOT_FOUND']
