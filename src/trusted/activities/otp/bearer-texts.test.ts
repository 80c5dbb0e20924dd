import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anOtpSetting, claimsOf, EMAIL } from '../../../../test/support/otp-setting.ts'

const V1 = { type: 'ACTIVITY_TYPE_INIT_OTP' }
const VERIFY = 'ACTIVITY_TYPE_VERIFY_OTP'

test('a token that is bound to no key is answered once: the record, a list and the same bytes tell what it says', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const { result, code } = await initiated({ appName: undefined }, V1)
  service.world.advance(1)
  const send = () => service.submit(root, VERIFY, { otpId: result.otpId, otpCode: code })
  const { json } = await send()
  const { verificationToken: token } = json.activity.result.verifyOtpResult
  const [, , signature] = token.split('.')
  assert.ok(signature.length > 80)

  const again = (await send()).json.activity
  const { activity: got } = (await service.query(root, 'get_activity', { activityId: json.activity.id })).json
  for (const { result: kept } of [again, got]) {
    const { verificationToken } = kept.verifyOtpResult
    assert.equal(verificationToken, token.slice(0, -signature.length))
    assert.equal(claimsOf(verificationToken).contact, EMAIL)
  }
  const { text } = await service.query(root, 'list_activities')
  assert.ok(!text.includes(signature) && !text.includes(code))
})

test('a token that is bound to a key is answered again to the same bytes, and is of no use without the key', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const { result, code } = await initiated({ appName: undefined }, V1)
  const { publicKey } = service.newKey()
  service.world.advance(1)
  const send = () => service.submit(root, VERIFY, { otpId: result.otpId, otpCode: code, publicKey })
  assert.deepEqual((await send()).json, (await send()).json)
})

test('a token that a request presents is shown without its signature, also where the request is refused', async (t) => {
  const { service, ada, root, token } = await anOtpSetting(t)
  const verificationToken = await token()
  const [, , signature = ''] = verificationToken.split('.')
  const login = { verificationToken, publicKey: service.newKey().publicKey }
  const to = { organizationId: ada.organizationId }
  const member = await service.user('Member')
  const refused = await service.submit(member, 'ACTIVITY_TYPE_OTP_LOGIN', login, to)
  assert.equal(refused.status, 403, refused.text)
  service.world.advance(1)
  const done = await service.submit(root, 'ACTIVITY_TYPE_OTP_LOGIN', login, to)
  assert.equal(done.status, 200, done.text)
  for (const by of [ada, { ...root, organizationId: ada.organizationId }]) {
    const { text } = await service.query(by, 'list_activities')
    assert.ok(text.includes(verificationToken.slice(0, -signature.length)))
    assert.ok(!text.includes(signature))
  }
})

test('a code that waits for others is not shown to them, and who votes for it is not answered the token', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const member = await service.user('Member')
  const second = await service.user('Second')
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two verify',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'VERIFY_OTP'",
    consensus: `approvers.filter(u, u.id in ['${member.userId}', '${second.userId}']).count() > 1`,
    notes: '',
  })
  const { result, code } = await initiated({ appName: undefined }, V1)
  service.world.advance(1)
  const waiting = await service.submit(member, VERIFY, { otpId: result.otpId, otpCode: code })
  const { fingerprint, status } = waiting.json.activity
  assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  // A reader could use the code while the activity waits.
  assert.ok(!(await service.query(second, 'list_activities')).text.includes(code))
  service.world.advance(1)
  const settled = await service.submit(second, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  assert.match(settled.json.activity.result.verifyOtpResult.verificationToken, /\.$/)
})
