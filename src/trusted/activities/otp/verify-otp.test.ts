import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encryptOtpCodeToBundle, verifyOtpVerificationToken } from '@turnkey/crypto'
import {
  anOtpSetting,
  claimsOf,
  EMAIL,
  nearly,
  PHONE,
  refusedWith,
} from '../../../../test/support/otp-setting.ts'
import { otpContacts } from '../../objects/otp-contact.ts'

const PLAIN = 'ACTIVITY_TYPE_VERIFY_OTP'
const ENCRYPTED = 'ACTIVITY_TYPE_VERIFY_OTP_V2'
const V1 = { type: 'ACTIVITY_TYPE_INIT_OTP' }
const V2 = { type: 'ACTIVITY_TYPE_INIT_OTP_V2' }
// The first version has no name beside the customization.
const unnamed = { appName: undefined }
const WRONG = { status: 400, message: /^invalid OTP code$/ }

test('a right code gives a token for the contact as it was written, for an hour', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const { result, code } = await initiated(unnamed, V1)
  const { verificationToken } = await service.done(root, PLAIN, { otpId: result.otpId, otpCode: code })
  const { exp, id, ...claims } = claimsOf(verificationToken)
  assert.deepEqual(claims, {
    organization_id: root.organizationId,
    verification_type: 'OTP_TYPE_EMAIL',
    contact: EMAIL,
  })
  assert.equal(exp, String(service.world.now() + 3_600_000))
  assert.match(id, /^[0-9a-f-]{36}$/)
})

test('a token is bound to the key that is given, and lives as long as is asked, up to a day', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const { publicKey } = service.newKey()
  const { result, code } = await initiated({ ...unnamed, otpType: 'OTP_TYPE_SMS', contact: PHONE }, V1)
  const sent = { otpId: result.otpId, otpCode: code, publicKey, expirationSeconds: '86400' }
  const refused = await service.submit(root, PLAIN, { ...sent, expirationSeconds: '86401' })
  refusedWith(refused, { status: 400, message: /`expirationSeconds` must be .* from 1 to 86400/ })
  const { verificationToken } = await service.done(root, PLAIN, sent)
  const claims = claimsOf(verificationToken)
  assert.equal(claims.public_key, publicKey)
  assert.equal(claims.verification_type, 'OTP_TYPE_SMS')
  assert.equal(claims.exp, String(service.world.now() + 86_400_000))
})

test('the published client encrypts a code to its target, and verifies the token that comes of it', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const { otp } = await service.vault.serviceKeys()
  const { publicKey } = service.newKey()
  // The client compares with the clock of the machine.
  service.world.advance(Math.max(0, Date.now() - service.world.now()))
  const { result, code } = await initiated()
  const bundle = await encryptOtpCodeToBundle(code, result.otpEncryptionTargetBundle, publicKey, otp)
  const sent = { otpId: result.otpId, encryptedOtpBundle: bundle, expirationSeconds: String(86_400) }
  const { verificationToken } = await service.done(root, ENCRYPTED, sent)
  assert.equal(claimsOf(verificationToken).public_key, publicKey)
  await verifyOtpVerificationToken(verificationToken, otp)
})

test('a code may be written in small letters, with space around it, and with look-alikes', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const { result, code } = await initiated({ ...unnamed, alphanumeric: true, otpLength: 9 }, V1)
  const typed = ` ${code.toLowerCase().replaceAll('0', 'o')} `
  await service.done(root, PLAIN, { otpId: result.otpId, otpCode: typed })
})

test('three wrong codes lock an OTP for good, with one answer for all', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const { result, code } = await initiated(unnamed, V1)
  const { otpId } = result
  const answers: string[] = []
  for (const otpCode of [nearly(code), '0', `${code}0`, code, code]) {
    service.world.advance(1)
    const answer = await service.submit(root, PLAIN, { otpId, otpCode })
    refusedWith(answer, WRONG)
    answers.push(answer.text)
  }
  const unknown = await service.submit(root, PLAIN, { otpId: root.userId, otpCode: code })
  assert.deepEqual(new Set([...answers, unknown.text]).size, 1)
})

test('two wrong codes leave a third try', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const { result, code } = await initiated(unnamed, V1)
  for (let tries = 0; tries < 2; tries++) {
    service.world.advance(1)
    refusedWith(await service.submit(root, PLAIN, { otpId: result.otpId, otpCode: nearly(code) }), WRONG)
  }
  await service.done(root, PLAIN, { otpId: result.otpId, otpCode: code })
})

test('the same bytes sent again are one try', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const { result, code } = await initiated(unnamed, V1)
  const at = { timestampMs: service.world.now() }
  for (let sent = 0; sent < 5; sent++)
    refusedWith(await service.submit(root, PLAIN, { otpId: result.otpId, otpCode: nearly(code) }, at), WRONG)
  await service.done(root, PLAIN, { otpId: result.otpId, otpCode: code })
})

test('a code is used up by being right, and others of the contact are not', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const first = await initiated(unnamed, V1)
  const second = await initiated(unnamed, V1)
  assert.notEqual(first.code, second.code)
  await service.done(root, PLAIN, { otpId: first.result.otpId, otpCode: first.code })
  service.world.advance(1)
  const again = await service.submit(root, PLAIN, { otpId: first.result.otpId, otpCode: first.code })
  refusedWith(again, WRONG)
  refusedWith(await service.submit(root, PLAIN, { otpId: second.result.otpId, otpCode: first.code }), WRONG)
  await service.done(root, PLAIN, { otpId: second.result.otpId, otpCode: second.code })
  const rows = () => service.store.objectsOfKind(root.organizationId, 'otp_contact', { limit: 9 })
  const codes = async () => (await rows()).map(({ body }) => otpContacts.parse(body).codes)
  assert.deepEqual(await codes(), [[]], 'only the wrong try is left')
  service.world.advance(600_000)
  const third = await initiated(unnamed, V1)
  await service.done(root, PLAIN, { otpId: third.result.otpId, otpCode: third.code })
  // What is left says that it is used up, until it would have expired.
  assert.deepEqual(await codes(), [[]])
  service.world.advance(2 * 60 * 60 * 1000)
  assert.equal(await service.store.sweep({ now: service.world.now(), limit: 9 }), 1)
})

test('a code that has expired is none, to the millisecond', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const { result, code, message } = await initiated({ ...unnamed, expirationSeconds: '60' }, V1)
  const { otpId } = result
  service.world.advance(60_000 - 2)
  assert.ok(message.channel === 'email' && message.expiresAt === service.world.now() + 2)
  const last = await service.submit(root, PLAIN, { otpId, otpCode: nearly(code) })
  refusedWith(last, WRONG)
  service.world.advance(2)
  refusedWith(await service.submit(root, PLAIN, { otpId, otpCode: code }), WRONG)
})

test('a code of another organization, or of a credential, is none', async (t) => {
  const { service, root, ada, initiated } = await anOtpSetting(t)
  const theirs = await initiated(unnamed, { ...V1, by: ada })
  const { otpId } = theirs.result
  refusedWith(await service.submit(root, PLAIN, { otpId, otpCode: theirs.code }), WRONG)
  const auth = await initiated({ contact: EMAIL }, { type: 'ACTIVITY_TYPE_INIT_OTP_AUTH_V3', by: ada })
  const mixed = await service.submit(ada, PLAIN, { otpId: auth.result.otpId, otpCode: auth.code })
  refusedWith(mixed, WRONG)
  await service.done(ada, PLAIN, { otpId, otpCode: theirs.code })
})

test('versions cannot be mixed in one attempt, and trying to is no try of the code', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const newest = await initiated()
  for (let tries = 0; tries < 4; tries++)
    refusedWith(await service.submit(root, PLAIN, { otpId: newest.result.otpId, otpCode: newest.code }), {
      status: 400,
      message: /whose code must be verified with encryptedOtpBundle/,
    })
  const encryptedOtpBundle = '{"encappedPublic":"04","ciphertext":"00"}'
  for (const { result, code } of [await initiated(unnamed, V1), await initiated({}, V2)]) {
    const { otpId } = result
    refusedWith(await service.submit(root, ENCRYPTED, { otpId, encryptedOtpBundle }), {
      status: 400,
      message: /whose code must be verified with otpCode/,
    })
    await service.done(root, PLAIN, { otpId, otpCode: code })
  }
})

test('a bundle that was altered, or made for another target, is refused and is no try', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const { otp } = await service.vault.serviceKeys()
  const { publicKey } = service.newKey()
  const [one, other] = [await initiated(), await initiated()]
  const bundleFor = (target: typeof one, code: string) =>
    encryptOtpCodeToBundle(code, target.result.otpEncryptionTargetBundle, publicKey, otp)
  const submitted = async (encryptedOtpBundle: string) => {
    service.world.advance(1)
    return await service.submit(root, ENCRYPTED, { otpId: one.result.otpId, encryptedOtpBundle })
  }
  const right = await bundleFor(one, one.code)
  const altered = right.replace(/.{2}"}$/, (end) => `${end.startsWith('00') ? '01' : '00'}"}`)
  for (const bundle of [altered, await bundleFor(other, one.code)])
    refusedWith(await submitted(bundle), { status: 400, message: /encrypted bundle does not open/ })
  for (const bundle of ['', '{}', 'x', right.slice(0, -9)])
    refusedWith(await submitted(bundle), { status: 400, message: /bundle|encryptedOtpBundle/i })
  refusedWith(await submitted(await bundleFor(one, nearly(one.code))), WRONG)
  assert.equal((await submitted(right)).status, 200)
})

test('a key that is none is refused before the code is tried', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const { result, code } = await initiated(unnamed, V1)
  for (const publicKey of ['00', `02${'ff'.repeat(32)}`, 'key'])
    for (const otpCode of [code, nearly(code)])
      refusedWith(await service.submit(root, PLAIN, { otpId: result.otpId, otpCode, publicKey }), {
        status: 400,
        message: /invalid publicKey/,
      })
})

test('of twenty wrong codes at once three count, and the right one comes too late', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const { result, code } = await initiated(unnamed, V1)
  const at = service.world.now()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      service.submit(
        root,
        PLAIN,
        { otpId: result.otpId, otpCode: nearly(code) },
        { timestampMs: at + index },
      ),
    ),
  )
  for (const answer of answers) refusedWith(answer, WRONG)
  const failed = await service.store.activities(
    root.organizationId,
    { statuses: ['ACTIVITY_STATUS_FAILED'] },
    { limit: 100 },
  )
  assert.equal(failed.length, 3)
  refusedWith(await service.submit(root, PLAIN, { otpId: result.otpId, otpCode: code }), WRONG)
})

test('of twenty right codes at once one gets a token', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  for (let round = 0; round < 3; round++) {
    const { result, code } = await initiated(unnamed, V1)
    const at = service.world.now()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        service.submit(root, PLAIN, { otpId: result.otpId, otpCode: code }, { timestampMs: at + index }),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 200)) refusedWith(answer, WRONG)
  }
})

test('of a right and many wrong codes at once at most three are tried', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const { result, code } = await initiated(unnamed, V1)
  const at = service.world.now()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      service.submit(
        root,
        PLAIN,
        { otpId: result.otpId, otpCode: index === 10 ? code : nearly(code) },
        { timestampMs: at + index },
      ),
    ),
  )
  const right = answers.filter(({ status }) => status === 200).length
  const failed = await service.store.activities(
    root.organizationId,
    { statuses: ['ACTIVITY_STATUS_FAILED'] },
    { limit: 100 },
  )
  assert.ok(right <= 1 && failed.length + right <= 3, `${right} right, ${failed.length} wrong`)
})

test('a user needs a policy to verify codes', async (t) => {
  const { service, root, initiated } = await anOtpSetting(t)
  const verifier = await service.user('Verifier')
  const { result, code } = await initiated(unnamed, V1)
  const sent = { otpId: result.otpId, otpCode: code }
  refusedWith(await service.submit(verifier, PLAIN, sent), { status: 403, message: /permission/ })
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Verifies codes',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'OTP' && activity.action == 'VERIFY'",
    consensus: `approvers.any(user, user.id == '${verifier.userId}')`,
    notes: '',
  })
  await service.done(verifier, PLAIN, sent)
})
