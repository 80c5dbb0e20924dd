import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnsecuredJWT } from 'jose'
import { aService } from '../../../test/support/service.ts'
import type { Answer, Question } from '../../trusted/catalogue/question.ts'

const ISSUERS = 10

/** Issuers that answer when the test says so. */
function silentIssuers() {
  const asked: Question[] = []
  const answers: (() => void)[] = []
  const everyone = Promise.withResolvers<void>()
  const outside = (question: Question): Promise<Answer> => {
    asked.push(question)
    if (asked.length === ISSUERS) everyone.resolve()
    return new Promise((resolve) => answers.push(() => resolve({ kind: 'failed', why: 'it is silent' })))
  }
  return { asked, everyone: everyone.promise, outside, fallSilent: () => answers.forEach((give) => give()) }
}

function tokenOf(issuer: string): string {
  // Nobody answers with the keys of its issuer, so no signature is ever looked at.
  const [, payload] = new UnsecuredJWT({ iss: issuer, sub: 'eve', aud: 'web' })
    .setExpirationTime('1h')
    .encode()
    .split('.')
  return `${Buffer.from('{"alg":"RS256","kid":"1"}').toString('base64url')}.${payload}.AAAA`
}

test('a member whose issuers are silent holds up nobody, and all of them are asked at once', async (t) => {
  const issuers = silentIssuers()
  const service = await aService({ outside: issuers.outside })
  t.after(service.close)
  const eve = await service.user('Eve')
  const registration = service.submit(eve, 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS', {
    userId: eve.userId,
    oauthProviders: Array.from({ length: ISSUERS }, (_, index) => ({
      providerName: `Issuer ${index}`,
      oidcToken: tokenOf(`https://silent-${index}.example`),
    })),
  })
  await issuers.everyone

  const tag = { userTagName: 'Traders', userIds: [] }
  const { userTagId } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)

  assert.notEqual(userTagId, undefined)
  assert.equal(issuers.asked.length, ISSUERS)
  issuers.fallSilent()
  assert.equal((await registration).status, 400)
})
