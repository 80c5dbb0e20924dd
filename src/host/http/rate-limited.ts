import { costs } from '../../trusted/base/costs.ts'
import type { Units } from '../../trusted/base/work.ts'
import { Failure, PERMISSION_DENIED, UNAUTHENTICATED } from '../../trusted/base/failure.ts'
import { requireOneStamp } from '../../trusted/crypto/stamp.ts'
import type { Reply } from '../pipeline/reply.ts'
import type { Messages, RateLimits, Subjects } from './rate-limits.ts'
import type { Answer, Call, Route } from './route.ts'

/** Passed on to the handler of the request. */
type Account = {
  /** Call it with the names in the request, before any work is done for it. @throws TooManyRequests */
  readonly admit: (named: Pick<Subjects, 'organization'> & { readonly messages?: Messages }) => void
  /** To be told of messages that are known later. @throws TooManyRequests */
  readonly write: (messages: Messages) => void
  /** To be told what is done for it. */
  readonly spend: (units: Units) => void
}

/**
 * A route within the limits. The address is counted at once. Messages are counted too, and given back if none is sent,
 * so that simultaneous requests cannot send more than sequential ones. Credential and organization are checked first,
 * and charged only after the stamp was verified: a wrong signature cannot use up the share of another user. An
 * expensive request counts as several.
 */
export function withinLimits(
  limits: RateLimits,
  carry: (call: Call, account: Account) => Promise<Answer>,
): Route {
  return async (call) => {
    limits.arrive('address', call.clientAddress, call.body.length * costs.bodyCharacter)
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
      write: (messages) => {
        // They may be decided on more than once, and are written once.
        counted.unwrite()
        counted.unwrite = () => {}
        counted.unwrite = limits.write(messages)
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

/** The unverified signer that the stamp names. The vault reports malformed stamps. */
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

/**
 * Whether the vault verified the sender of the request. An invalid token fails in many ways, a registered credential in
 * few.
 */
function isProven(reply: Reply, isRegistered: boolean): boolean {
  if (reply.kind === 'ok') return true
  const { code, turnkeyErrorCode = '' } = reply.error
  if (!isRegistered) return code === PERMISSION_DENIED
  return code !== UNAUTHENTICATED && !NOT_FOUND_CODES.includes(turnkeyErrorCode)
}

const NOT_FOUND_CODES = ['ORGANIZATION_NOT_FOUND', 'PUBLIC_KEY_NOT_FOUND', 'CREDENTIAL_NOT_FOUND']
