import type { Answered } from '../../../service/answered.ts'
import { say } from './words.ts'

/** By what a user can prove who asks, as the interface names it, and as this page does. */
export const METHODS = [
  ['AUTHENTICATION_TYPE_PASSKEY', 'passkey'],
  ['AUTHENTICATION_TYPE_API_KEY', 'apiKey'],
  ['AUTHENTICATION_TYPE_EMAIL_OTP', 'mail'],
  ['AUTHENTICATION_TYPE_SMS_OTP', 'sms'],
  ['AUTHENTICATION_TYPE_OAUTH', 'oauth'],
  ['AUTHENTICATION_TYPE_WALLET', 'wallet'],
  ['AUTHENTICATION_TYPE_SESSION', 'session'],
] as const

type Method = (typeof METHODS)[number][0]

/** One of these is enough for a step. */
export type Step = readonly Method[]

/** A type that a later version has added is shown as the service names it. */
export function methodWord(type: string): string {
  const known = METHODS.find(([method]) => method === type)
  return known === undefined ? type : say(known[1])
}

/** Whether the user has something by which to pass a step; any user can open a session. */
export function canPass(user: Answered, step: Step): boolean {
  return step.some((method) => {
    switch (method) {
      case 'AUTHENTICATION_TYPE_PASSKEY':
        return user.list('authenticators').length > 0
      case 'AUTHENTICATION_TYPE_API_KEY':
        return user
          .list('apiKeys')
          .some((key) => key.object('credential').text('type').startsWith('CREDENTIAL_TYPE_API_KEY_'))
      case 'AUTHENTICATION_TYPE_EMAIL_OTP':
        return user.textOrNone('userEmail') !== ''
      case 'AUTHENTICATION_TYPE_SMS_OTP':
        return user.textOrNone('userPhoneNumber') !== ''
      case 'AUTHENTICATION_TYPE_OAUTH':
        return user.listOrNone('oauthProviders').length > 0
      case 'AUTHENTICATION_TYPE_WALLET':
        return user.listOrNone('walletAuthenticators').length > 0
      case 'AUTHENTICATION_TYPE_SESSION':
        return true
    }
  })
}
