import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { TurnkeyClient } from '@turnkey/http'
import { activities } from '../../src/trusted/activities/list.ts'
import { queries } from '../../src/host/queries/list.ts'
import { pathsOf } from './counted.ts'
import { activityRecordFlows } from './http/activity-record.ts'
import { consensusFlows } from './http/consensus.ts'
import { contractFlows } from './http/contracts.ts'
import { credentialFlows } from './http/credentials.ts'
import { importExportFlows } from './http/import-export.ts'
import { ipAllowlistFlows } from './http/ip-allowlist.ts'
import { mfaFlows } from './http/mfa.ts'
import { oauthFlows } from './http/oauth.ts'
import { oauth2Flows } from './http/oauth2.ts'
import { oneTimeCodeFlows } from './http/one-time-codes.ts'
import { organizationFlows } from './http/organizations.ts'
import { policyFlows } from './http/policies.ts'
import { pollerFlows } from './http/pollers.ts'
import { recoveryFlows } from './http/recovery.ts'
import { secretFlows } from './http/secrets.ts'
import { sessionFlows } from './http/sessions.ts'
import { signingFlows } from './http/signing.ts'
import { userFlows } from './http/users.ts'
import { velocityControlFlows } from './http/velocity-controls.ts'
import { walletFlows } from './http/wallets.ts'
import { webhookFlows } from './http/webhooks.ts'
import { aSetting } from './setting.ts'

// The published @turnkey/http against the service in its own processes: one service for all of it, as an operator has.
const setting = await aSetting()
after(() => setting.service.kill())

organizationFlows(setting)
userFlows(setting)
credentialFlows(setting)
consensusFlows(setting)
policyFlows(setting)
velocityControlFlows(setting)
signingFlows(setting)
importExportFlows(setting)
walletFlows(setting)
contractFlows(setting)
secretFlows(setting)
oneTimeCodeFlows(setting)
sessionFlows(setting)
recoveryFlows(setting)
oauthFlows(setting)
oauth2Flows(setting)
mfaFlows(setting)
ipAllowlistFlows(setting)
webhookFlows(setting)
activityRecordFlows(setting)
pollerFlows(setting)

test('every operation that the client has a method for has been called through it', () => {
  const paths = [
    ...activities.map(({ operation }) => `/public/v1/submit/${operation}`),
    ...queries.map(({ operation }) => `/public/v1/query/${operation}`),
  ]
  const { env } = setting
  const stamper = new ApiKeyStamper({ apiPublicKey: env.API_PUBLIC_KEY, apiPrivateKey: env.API_PRIVATE_KEY })
  const offered = pathsOf(new TurnkeyClient({ baseUrl: env.BASE_URL }, stamper))
  assert.ok(offered.size > 100, 'the methods of the client were found')
  const missed = paths.filter((path) => offered.has(path) && !setting.called.has(path))
  assert.deepEqual(missed, [])
})

test('the service that answered all this ends cleanly when it is asked to', async () => {
  assert.equal(await setting.stop(), 0)
  assert.equal(setting.service.output().includes('"level":"error"'), false, setting.service.output())
})
