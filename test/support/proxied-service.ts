import type { TestContext } from 'node:test'
import { Secret } from '../../src/trusted/base/secret.ts'
import type { AuthProxyConfig } from '../../src/host/auth-proxy/config.ts'
import type { RateLimitSettings } from '../../src/host/http/rate-limits.ts'
import type { Host } from '../../src/host/pipeline/host.ts'
import { authProxyPolicy } from './documented-policies.ts'
import { aSecondServer, type SecondAnswer, type SecondServer } from './second-server.ts'
import { aService, type Member, type TestService } from './service.ts'

export type ProxiedService = {
  readonly service: TestService
  readonly server: SecondServer
  /** The user whose key the proxy holds: no root user. */
  readonly member: Member
  readonly config: AuthProxyConfig
  /** Calls a path of the proxy as a page of the one origin that is allowed. */
  readonly call: (
    path: string,
    body: object | string,
    how?: { readonly headers?: Record<string, string>; readonly from?: string },
  ) => Promise<SecondAnswer>
}

export const ORIGIN = 'https://shop.example'
export const CONFIG_ID = 'shop'

const ALL = { signup: true, otpEmail: true, otpSms: true, oauth: true, passkey: true, wallet: true }

/** A service with an auth proxy whose member has what the decision page says that it needs, and nothing else. */
export async function aProxiedService(
  t: TestContext,
  options: {
    readonly config?: Partial<AuthProxyConfig>
    readonly allow?: Partial<AuthProxyConfig['allow']>
    readonly limits?: RateLimitSettings
    readonly outside?: Host['outside']
    readonly withoutPolicies?: true
  } = {},
): Promise<ProxiedService> {
  const { outside, limits } = options
  const service = await aService(outside === undefined ? {} : { outside })
  t.after(service.close)
  const { root, done } = service
  for (const name of ['FEATURE_NAME_OTP_EMAIL_AUTH', 'FEATURE_NAME_SMS_AUTH'])
    await done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name, value: '' })
  const member = await service.user('Auth proxy')
  if (options.withoutPolicies !== true)
    await done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', authProxyPolicy(member))
  const config: AuthProxyConfig = {
    configId: CONFIG_ID,
    organizationId: root.organizationId,
    apiPublicKey: member.key.publicKey,
    apiPrivateKey: new Secret(member.key.privateKey),
    allowedOrigins: [ORIGIN],
    sessionExpirationSeconds: 900,
    otp: {
      length: 6,
      alphanumeric: false,
      expirationSeconds: 300,
      codesPerNetwork: 100,
      percentOfMessages: 90,
    },
    signUps: { perNetwork: 1_000 },
    appName: 'Shop',
    sender: {},
    oauthClientIds: {},
    socialLinkingClientIds: [],
    ...options.config,
    allow: { ...ALL, ...options.allow },
  }
  const server = await aSecondServer(t, service, {
    authProxy: [config],
    ...(limits === undefined ? {} : { limits }),
    ...(outside === undefined ? {} : { outside }),
  })
  return {
    service,
    server,
    member,
    config,
    call: (path, body, { headers = {}, ...how } = {}) =>
      server.post(path, body, {
        headers: { origin: ORIGIN, 'x-auth-proxy-config-id': CONFIG_ID, ...headers },
        ...how,
      }),
  }
}
