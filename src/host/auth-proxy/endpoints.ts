import { account } from './account.ts'
import { oauth2Authenticate, oauthLogin, otpLogin, otpLoginV2 } from './logins.ts'
import { otpInit, otpInitV2, otpVerify, otpVerifyV2 } from './one-time-codes.ts'
import { signUp, signUpV2 } from './sign-up.ts'
import { walletKitClientParams, walletKitConfig } from './wallet-kit.ts'
import type { Endpoint } from './proxied.ts'

/** The endpoints of the auth proxy, by the last part of the path. */
export const authProxyEndpoints: Readonly<Record<string, Endpoint>> = {
  account,
  otp_init: otpInit,
  otp_init_v2: otpInitV2,
  otp_verify: otpVerify,
  otp_verify_v2: otpVerifyV2,
  otp_login: otpLogin,
  otp_login_v2: otpLoginV2,
  oauth_login: oauthLogin,
  oauth2_authenticate: oauth2Authenticate,
  signup: signUp,
  signup_v2: signUpV2,
  wallet_kit_config: walletKitConfig,
  wallet_kit_client_params: walletKitClientParams,
}
