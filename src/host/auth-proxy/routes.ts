import { createHmac } from 'node:crypto'
import { costs } from '../../trusted/base/costs.ts'
import { Failure } from '../../trusted/base/failure.ts'
import { type JsonObject, readJsonObject } from '../../trusted/base/strict-json.ts'
import type { Query } from '../../trusted/catalogue/query.ts'
import type { Host } from '../pipeline/host.ts'
import { spending } from '../pipeline/spending.ts'
import type { Units } from '../../trusted/base/work.ts'
import { mailboxOf } from '../../trusted/charter/mailbox.ts'
import { networkOf } from '../http/address-network.ts'
import { errorAnswer } from '../http/error-answer.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import type { Answer, Call, Route } from '../http/route.ts'
import type { AuthProxyConfig } from './config.ts'
import { CodeBounds } from './code-bounds.ts'
import { DayBounds } from './day-bounds.ts'
import { noConfiguration, originNotAllowed, tooManySignUps } from './failures.ts'
import { type MemberFor, memberOf } from './member.ts'
import { authProxyEndpoints } from './endpoints.ts'
import type { Endpoint } from './proxied.ts'

/** The paths of the auth proxy for these configurations; none if there is no configuration. */
export function authProxyRoutes(
  host: Host,
  parts: {
    readonly configs: readonly AuthProxyConfig[]
    readonly queries: readonly Query[]
    readonly limits?: RateLimits | undefined
  },
): ReadonlyMap<string, Route> {
  const { configs, queries, limits } = parts
  if (configs.length === 0) return new Map()
  const doors = new Map(
    configs.map((config) => [
      config.configId,
      {
        config,
        memberFor: memberOf(config, { host, queries, limits }),
        codes: new CodeBounds(config, host),
        signUps: new DayBounds(tooManySignUps, host.world.now),
      },
    ]),
  )
  const routes = new Map<string, Route>()
  for (const [name, endpoint] of Object.entries(authProxyEndpoints)) {
    routes.set(`OPTIONS /v1/${name}`, async (call) => preflight(call, configs))
    routes.set(`POST /v1/${name}`, async (call) => await enter(call, { host, doors, endpoint, limits }))
  }
  return routes
}

type Door = {
  readonly config: AuthProxyConfig
  readonly memberFor: MemberFor
  readonly codes: CodeBounds
  readonly signUps: DayBounds
}

/** A preflight names no configuration, so the answer says whether any configuration permits its origin. */
function preflight(call: Call, configs: readonly AuthProxyConfig[]): Answer {
  const origin = originOf(call)
  const isKnown = configs.some((config) => isFor(config, origin))
  return { kind: 'ok', body: '', cors: isKnown ? corsFor(origin) : {} }
}

async function enter(
  call: Call,
  {
    host,
    doors,
    endpoint,
    limits,
  }: {
    readonly host: Host
    readonly doors: ReadonlyMap<string, Door>
    readonly endpoint: Endpoint
    readonly limits: RateLimits | undefined
  },
): Promise<Answer> {
  const origin = originOf(call)
  const door = doors.get((call.headers[CONFIG_HEADER] ?? []).join(','))
  const cors = door !== undefined && isFor(door.config, origin) ? corsFor(origin) : {}
  let units: Units = 0
  try {
    limits?.arrive('address', call.clientAddress, call.body.length * costs.bodyCharacter)
    limits?.arrive('proxy', call.clientAddress)
    if (door === undefined) throw noConfiguration()
    const { config, memberFor, codes, signUps } = door
    if (!isFor(config, origin)) throw originNotAllowed({ origin })
    const network = networkOf(call.clientAddress)
    const spend = (more: Units): void => {
      units += more
    }
    const answer = await endpoint.handle(bodyOf(call), {
      config,
      member: memberFor(spend),
      host: spending(host, spend),
      spend,
      askerOf: (contact) => askerOf(config, network, contact),
      countCode: async () => await codes.take(network),
      countSignUp: () => signUps.take(network, config.signUps),
    })
    return { kind: 'ok', body: JSON.stringify(answer), cors }
  } catch (error) {
    if (error instanceof Failure) return { ...errorAnswer(error), cors }
    throw error
  } finally {
    // All callers share the key of the member, so the cost is counted for the caller.
    limits?.chargeAddress(call.clientAddress, units)
  }
}

/** Published wallet kits send no body and no content type if the request is empty. */
function bodyOf({ body }: Call): JsonObject {
  return body.length === 0 ? {} : readJsonObject(body)
}

const CONFIG_HEADER = 'x-auth-proxy-config-id'

function originOf({ headers }: Call): string | undefined {
  return headers['origin']?.join(',')
}

/** A caller other than a browser page sends no origin, and could send any. */
function isFor({ allowedOrigins }: AuthProxyConfig, origin: string | undefined): boolean {
  return allowedOrigins.includes('*') || (origin !== undefined && allowedOrigins.includes(origin))
}

function corsFor(origin: string | undefined): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': origin ?? '*',
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': `content-type, ${CONFIG_HEADER}, x-captcha-token, x-client-version`,
    vary: 'origin',
  }
}

/**
 * The same text for all callers of one network with one mailbox, so that people behind one network do not use up each
 * other's codes. Without the key, an address cannot be found by trying all addresses.
 */
function askerOf({ apiPrivateKey }: AuthProxyConfig, network: string, contact: string): string {
  return createHmac('sha256', apiPrivateKey.reveal())
    .update(`claviger auth proxy: asker\n${JSON.stringify([network, mailboxOf(contact)])}`)
    .digest('hex')
}
