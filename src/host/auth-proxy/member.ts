import { present } from '../../trusted/base/assert.ts'
import { utf8 } from '../../trusted/base/bytes.ts'
import { type ErrorBody, Failure, PERMISSION_DENIED } from '../../trusted/base/failure.ts'
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readJsonObject,
} from '../../trusted/base/strict-json.ts'
import type { Units } from '../../trusted/base/work.ts'
import type { Query } from '../../trusted/catalogue/query.ts'
import { p256Signer } from '../../trusted/crypto/p256.ts'
import { answer } from '../pipeline/answer.ts'
import type { Host } from '../pipeline/host.ts'
import { submit } from '../pipeline/submit.ts'
import type { Reply } from '../pipeline/reply.ts'
import { PERMISSION_MESSAGE } from '../../trusted/vault/failures.ts'
import { p256Stamp } from '../http/p256-stamp.ts'
import { messagesOf } from '../http/routes.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import type { AuthProxyConfig } from './config.ts'
import { notSettledAtOnce } from './failures.ts'

/** The user whose key a configuration has. It sends requests like any client, and has no other power. */
export type Member = {
  /**
   * Submits an activity, by default in the member's own organization.
   *
   * @returns  the value under the result key
   * @throws   Failure of the service, and `notSettledAtOnce` if votes are missing
   */
  readonly submit: (type: string, parameters: object, organizationId?: string) => Promise<JsonObject>
  readonly query: (operation: string, body: object) => Promise<JsonObject>
}

/** The member for one call; the cost is charged to the caller. */
export type MemberFor = (spend: (units: Units) => void) => Member

export function memberOf(
  config: AuthProxyConfig,
  means: {
    readonly host: Host
    readonly queries: readonly Query[]
    readonly limits: RateLimits | undefined
  },
): MemberFor {
  const { host, queries, limits } = means
  const signer = p256Signer(config.apiPrivateKey.reveal(), config.apiPublicKey)
  const stamped = (body: object) => {
    const bytes = utf8(JSON.stringify(body))
    return { body: bytes, stamp: { xStamp: p256Stamp(signer, bytes) } }
  }
  // Two people may send the same request in the same instant, and the same bytes would be one request. A clock that was
  // set back by more than a little is followed: the vault refuses timestamps that are far ahead of it.
  let last = 0
  const nextTimestamp = (): string => {
    const now = host.world.now()
    last = last > now + AHEAD_MS_MAX ? now : Math.max(last + 1, now)
    return String(last)
  }
  return (spend) => ({
    submit: async (type, parameters, organizationId = config.organizationId) => {
      const activity = present(host.types.get(type), 'an activity of the auth proxy').activity
      const request = stamped({ type, timestampMs: nextTimestamp(), organizationId, parameters })
      let unwrite: (() => void) | undefined
      let sends = false
      try {
        const reply = await submit(host, {
          operation: activity.operation,
          ...request,
          spend,
          admit: ({ newest }) => {
            unwrite = limits?.write(messagesOf(activity, organizationId, newest))
          },
        })
        sends = reply.kind === 'ok'
        return resultOf(bodyOf(reply)['activity'])
      } finally {
        if (!sends) unwrite?.()
      }
    },
    query: async (operation, body) => {
      const query = present(
        queries.find((item) => item.operation === operation),
        'a query of the auth proxy',
      )
      const request = stamped({ organizationId: config.organizationId, ...body })
      return bodyOf(await answer(host, query, { ...request, spend }))
    },
  })
}

/** Well below the five minutes that the vault permits. */
const AHEAD_MS_MAX = 60_000

function bodyOf(reply: Reply): JsonObject {
  if (reply.kind === 'error') throw passedOn(reply.error)
  return readJsonObject(reply.body, { depthMax: 64 })
}

/** The caller gets the service's answer to the member, except for texts that published clients search for. */
function passedOn({ code, message, details, turnkeyErrorCode }: ErrorBody): Failure {
  // The verdicts of single policies, and the content of the record, are only for users of the organization.
  if (message.startsWith(PERMISSION_MESSAGE)) return new Failure('passedOn', code, PERMISSION_MESSAGE, [])
  const said = message.replace(/^invalid OTP code/, 'Invalid OTP code')
  return new Failure('passedOn', code, said, code === PERMISSION_DENIED ? [] : details, turnkeyErrorCode)
}

function resultOf(record: JsonValue | undefined): JsonObject {
  const { status, result } = isJsonObject(record) ? record : {}
  if (status !== 'ACTIVITY_STATUS_COMPLETED') throw notSettledAtOnce({ status: String(status) })
  const [, value] =
    Object.entries(isJsonObject(result) ? result : {}).find(([name]) => name !== 'activity') ?? []
  return isJsonObject(value) ? value : {}
}
