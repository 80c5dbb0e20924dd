import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anOtpSetting, EMAIL, nearly, type OtpSetting } from '../../../../test/support/otp-setting.ts'

const OLD = { emailCustomization: { appName: 'Example' }, appName: undefined }
const HOW = { type: 'ACTIVITY_TYPE_INIT_OTP' }
const VERIFY = 'ACTIVITY_TYPE_VERIFY_OTP'
const MINUTE = 60_000

/** Tries a code, and tells whether it was good. */
async function tried({ service, root }: OtpSetting, otpId: string, otpCode: string): Promise<boolean> {
  service.world.advance(1)
  return (await service.submit(root, VERIFY, { otpId, otpCode })).status === 200
}

test('codes that last a second give no more tries than others: nine in ten minutes', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, initiated } = setting
  const short = async () => await initiated({ ...OLD, expirationSeconds: '1' }, HOW)
  for (let codes = 0; codes < 3; codes++) {
    const { result, code } = await short()
    for (let tries = 0; tries < 3; tries++)
      assert.equal(await tried(setting, result.otpId, nearly(code)), false)
    service.world.advance(1_000)
  }
  const tenth = await short()
  assert.equal(
    await tried(setting, tenth.result.otpId, tenth.code),
    false,
    'not even the right one is good now',
  )
  service.world.advance(10 * MINUTE)
  const later = await short()
  assert.equal(await tried(setting, later.result.otpId, later.code), true)
})

test('tries at the same time, on codes of the same contact, are nine too', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, root, initiated } = setting
  const codes = [await initiated(OLD, HOW), await initiated(OLD, HOW), await initiated(OLD, HOW)]
  const answers = await Promise.all(
    codes.flatMap(({ result }, index) =>
      Array.from({ length: 8 }, (_, tries) =>
        service.submit(
          root,
          VERIFY,
          { otpId: result.otpId, otpCode: `no ${index} ${tries}` },
          { timestampMs: service.world.now() + index * 10 + tries },
        ),
      ),
    ),
  )
  assert.ok(answers.every(({ status }) => status === 400))
  const [row] = await service.store.objectsOfKind(root.organizationId, 'otp_contact', { limit: 9 })
  assert.equal(JSON.parse(row?.body ?? '{}').wrongTries.length, 9)
})

test('a stranger who has codes sent to somebody, and tries them, keeps that person from nothing', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, root, initiated } = setting
  const by = (userIdentifier: string) => initiated({ ...OLD, userIdentifier }, HOW)
  for (let codes = 0; codes < 3; codes++) {
    const { result, code } = await by('a stranger')
    for (let tries = 0; tries < 3; tries++) await tried(setting, result.otpId, nearly(code))
  }
  const fourth = await service.submit(root, 'ACTIVITY_TYPE_INIT_OTP_V3', {
    otpType: 'OTP_TYPE_EMAIL',
    contact: EMAIL,
    appName: 'Example',
    userIdentifier: 'a stranger',
  })
  assert.equal(fourth.json.turnkeyErrorCode, 'MAX_OTP_INITIATED')
  const own = await by('its owner')
  assert.equal(await tried(setting, own.result.otpId, own.code), true)
})

test('all askers together have nine codes of a contact, and 27 wrong tries', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, root, initiated } = setting
  for (const userIdentifier of ['one', 'two', 'three'])
    for (let codes = 0; codes < 3; codes++) {
      const { result, code } = await initiated({ ...OLD, userIdentifier, expirationSeconds: '600' }, HOW)
      for (let tries = 0; tries < 3; tries++) await tried(setting, result.otpId, nearly(code))
    }
  const more = { otpType: 'OTP_TYPE_EMAIL', contact: EMAIL, appName: 'Example', userIdentifier: 'four' }
  const refused = await service.submit(root, 'ACTIVITY_TYPE_INIT_OTP_V3', more)
  assert.equal(refused.json.turnkeyErrorCode, 'MAX_OTP_INITIATED')
  service.world.advance(10 * MINUTE)
  const { result, code } = await initiated({ ...OLD, userIdentifier: 'four' }, HOW)
  assert.equal(await tried(setting, result.otpId, code), true)
})

test('wrong tries of all askers are 27 in ten minutes, and a right code takes none of them back', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, initiated } = setting
  const short = async (userIdentifier: string) =>
    await initiated({ ...OLD, userIdentifier, expirationSeconds: '1' }, HOW)
  const isGood = async (userIdentifier: string) => {
    const { result, code } = await short(userIdentifier)
    return await tried(setting, result.otpId, code)
  }
  const guess = async (userIdentifier: string, tries: number) => {
    for (let done = 0; done < tries; done += 3) {
      const { result, code } = await short(userIdentifier)
      for (let one = 0; one < 3; one++) await tried(setting, result.otpId, nearly(code))
      service.world.advance(1_000)
    }
  }
  await guess('one', 9)
  await guess('two', 9)
  await guess('three', 6)
  assert.equal(await isGood('four'), true, 'after 24')
  await guess('three', 3)
  assert.equal(await isGood('five'), false, 'after 27')
  service.world.advance(9 * MINUTE)
  assert.equal(await isGood('five'), false, 'nine minutes later')
  service.world.advance(MINUTE)
  assert.equal(await isGood('five'), true, 'ten minutes later')
})

test('a wrong code that others have approved is a try as any other', async (t) => {
  const setting = await anOtpSetting(t)
  const { service, root, initiated } = setting
  const [asker, second] = [await service.user('Asker'), await service.user('Second')]
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two verify codes',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'OTP' && activity.action == 'VERIFY'",
    consensus: `approvers.any(user, user.id == '${asker.userId}') && approvers.any(user, user.id == '${second.userId}')`,
    notes: '',
  })
  const { result, code } = await initiated(OLD, HOW)
  for (let tries = 0; tries < 3; tries++) {
    service.world.advance(1)
    const sent = { otpId: result.otpId, otpCode: nearly(code) }
    const { fingerprint } = (await service.submit(asker, VERIFY, sent)).json.activity
    const { json } = await service.submit(second, 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    assert.equal(json.activity.status, 'ACTIVITY_STATUS_FAILED')
  }
  assert.equal(await tried(setting, result.otpId, code), false, 'not even the right one is good now')
})
