import type { Allowance, AuthProxyConfig } from './config.ts'
import { disallowed } from './failures.ts'

const names: Readonly<Record<Allowance, string>> = {
  signup: 'SIGNUP',
  otpEmail: 'OTP_EMAIL',
  otpSms: 'OTP_SMS',
  oauth: 'OAUTH',
  passkey: 'PASSKEY',
  wallet: 'WALLET',
}

/** @throws Failure `disallowed` */
export function checkAllowed({ allow }: Pick<AuthProxyConfig, 'allow'>, allowance: Allowance): void {
  if (!allow[allowance]) throw disallowed({ what: names[allowance] })
}

/** @param otpType  `OTP_TYPE_EMAIL` or `OTP_TYPE_SMS`, as in requests and verification tokens */
export function otpAllowance(otpType: string): 'otpEmail' | 'otpSms' {
  return otpType === 'OTP_TYPE_SMS' ? 'otpSms' : 'otpEmail'
}
