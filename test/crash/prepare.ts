import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { present } from '../../src/trusted/base/assert.ts'
import type { Seeded } from '../support/seeded.ts'
import { type StampKey, stampKeyFrom } from '../support/stamper.ts'
import { entryOf } from './ledger.ts'
import type { People } from './load.ts'
import { startProcess } from './service-process.ts'
import { through } from './through.ts'

/**
 * Started once for development, so that there is a root user; then two more, a policy that asks for both of them, and a
 * key.
 */
export async function prepare(
  environment: { readonly dataFolder: string; readonly databaseUrl?: string },
  random: Seeded,
): Promise<People> {
  const service = await startProcess({ kind: 'command', command: 'dev' }, environment)
  const settings = new Map(
    readFileSync(join(environment.dataFolder, 'dev.env'), 'utf8')
      .split('\n')
      .map((line) => [line.split('=')[0], line.split('=')[1]] as const),
  )
  // `serve` refuses a folder in which the key of its root user lies.
  rmSync(join(environment.dataFolder, 'dev.env'))
  const scheme = 'SIGNATURE_SCHEME_TK_API_P256'
  const root: StampKey = {
    scheme,
    privateKey: Buffer.from(settings.get('API_PRIVATE_KEY') ?? '', 'hex'),
    publicKey: settings.get('API_PUBLIC_KEY') ?? '',
  }
  const organizationId = settings.get('ORGANIZATION_ID') ?? ''
  const [proposer, approver] = [stampKeyFrom(scheme, random.bytes), stampKeyFrom(scheme, random.bytes)]
  const users = [proposer, approver].map(({ publicKey }, at) => ({
    userName: `User ${at}`,
    apiKeys: [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
  }))
  const policy = {
    policyName: 'Two sign',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  }
  const privateKey = {
    privateKeyName: 'Signer',
    curve: 'CURVE_SECP256K1',
    privateKeyTags: [],
    addressFormats: [],
  }
  const privateKeyId = await through(service.url, async (to) => {
    const done = async (type: string, parameters: object) => {
      const answer = await to.post(entryOf({ kind: 'key', key: root, organizationId, type, parameters }))
      // An activity as the service answers it.
      return JSON.parse(present(answer, 'an answer')) as {
        activity: { result: { createPrivateKeysResultV2: { privateKeys: { privateKeyId: string }[] } } }
      }
    }
    await done('ACTIVITY_TYPE_CREATE_USERS_V3', { users })
    await done('ACTIVITY_TYPE_CREATE_POLICY_V3', policy)
    await done('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' })
    const made = await done('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys: [privateKey] })
    return present(made.activity.result.createPrivateKeysResultV2.privateKeys[0], 'a key').privateKeyId
  })
  process.kill(service.pid, 'SIGTERM')
  await service.ended
  return { organizationId, root, proposer, approver, privateKeyId }
}
