import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { authProxyPolicy } from '../support/documented-policies.ts'
import { type Settings, temporaryFolder } from '../support/running-service.ts'
import { switchedOn } from './features.ts'
import { aSetting, type Setting } from './setting.ts'

/**
 * A setting with an auth proxy that the pages of one origin may call. The service is started twice: the file for its
 * auth proxy holds a key of a user, who is not there before.
 */
export async function aProxiedSetting(given: {
  readonly configId: string
  readonly origin: string
  /** Where the service is to listen; a free one unless given. */
  readonly port?: number
  /** Further settings of the service. */
  readonly settings?: Settings
}): Promise<Setting> {
  const { root, env, user, service, stop } = await aSetting()
  await switchedOn(root, ['FEATURE_NAME_OTP_EMAIL_AUTH'])
  const member = await user(root, 'Auth proxy')
  await root.client.createPolicy(
    root.activity(
      'ACTIVITY_TYPE_CREATE_POLICY_V3',
      authProxyPolicy({ userId: member.userId, organizationId: env.ORGANIZATION_ID }),
    ),
  )
  await stop()
  const path = join(temporaryFolder(), 'auth-proxy.json')
  const config = {
    configId: given.configId,
    organizationId: env.ORGANIZATION_ID,
    apiPublicKey: member.publicKey,
    apiPrivateKey: member.privateKey,
    allowedOrigins: [given.origin],
    appName: 'Example',
    oauthClientIds: { google: 'web' },
    allow: { signup: true, otpEmail: true, oauth: true, passkey: true, wallet: true },
  }
  writeFileSync(path, JSON.stringify([config]), { mode: 0o600 })
  const { port = 0, settings = {} } = given
  return await aSetting(
    { ...settings, CLAVIGER_AUTH_PROXY: path, CLAVIGER_PORT: String(port) },
    service.dataFolder,
  )
}
