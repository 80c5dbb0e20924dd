import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import type { Ms } from '../../base/world.ts'
import { defineActivity, type VerificationMeans } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, text, type TypeOf } from '../../catalogue/shape.ts'
import { readP256Key } from '../../crypto/p256.ts'
import { signVerificationToken } from '../../crypto/verification-token.ts'
import { invalidSessionKey } from '../sessions/session-key.ts'
import { nonceOf, nonceUsed, type UsedNonce, useNonce } from '../../objects/used-nonce.ts'
import type { ObjectsNeed } from '../../catalogue/objects.ts'
import { readSignInMessage, type SignInMessage, signInMessageInvalid } from './sign-in-message.ts'
import { walletAddress } from './wallet-address.ts'
import { signingWallet } from './wallet-signature.ts'

const intent = object({
  message: text({ min: 1, max: 8_192 }),
  signature: text({ min: 1, max: 256 }),
  publicKey: text({ min: 1, max: 140 }),
})
const result = object({ verificationToken: text({ max: 4_096 }) })

const walletSignatureInvalid = defineFailure<{ readonly address: string }>({
  kind: 'walletSignatureInvalid',
  code: INVALID_ARGUMENT,
  say: ({ address }) =>
    `invalid wallet signature: it is not one that ${address} made over this message; contracts that are accounts cannot sign in`,
})

/** The clock of the person's device may be ahead by this much. */
const AHEAD_MAX_MS: Ms = 60 * 1000
const GOOD_FOR_MAX_MS: Ms = 24 * 60 * 60 * 1000
const TOKEN_MS: Ms = 60 * 60 * 1000

type Signed = { readonly message: SignInMessage; readonly walletKey: string }

/** docs/decisions/wallet-authenticators.md */
export const verifyWalletAuthenticator = defineActivity<
  TypeOf<typeof intent>,
  TypeOf<typeof result>,
  { readonly used: ObjectsNeed<UsedNonce> },
  Signed
>({
  operation: 'verify_wallet_authenticator',
  summary: 'Verify the sign-in message of an external wallet, and get a verification token',
  forms: form('ACTIVITY_TYPE_VERIFY_WALLET_AUTHENTICATOR', intent, {
    key: 'verifyWalletAuthenticatorResult',
    shape: result,
  }),
  resource: 'AUTH',
  action: 'VERIFY',
  authority: { kind: 'policies' },
  amends: false,
  logsIn: true,
  personal: { of: 'contact' },
  fails: [signInMessageInvalid, walletSignatureInvalid, nonceUsed, invalidSessionKey],
  example: {
    intent: {
      message:
        'app.example.com wants you to sign in with your Ethereum account:\n0xe91F454F985c19207080378FE0f5A47DAeca2B3E\n\nAuthorize this key.\n\nURI: https://app.example.com/login\nVersion: 1\nChain ID: 1\nNonce: 036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296\nIssued At: 2026-11-21T00:00:00Z\nExpiration Time: 2026-11-21T01:00:00Z\nResources:\n- urn:turnkey:wallet-protocol:siwe\n- urn:turnkey:session-key:036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
      signature: '5f0c…1b',
      publicKey: '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
    },
    result: { verificationToken: 'eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJleHAi…In0.MEUC…Zw' },
  },
  validate: (given) => {
    messageFor(given)
  },
  needs: ({ publicKey }) => ({ used: nonceOf(readP256Key(publicKey)?.compressed) }),
  verify: async (given, means) => signedMessage(given, means),

  execute({ charter: { organizationId }, rows, verified, now, newId, randomBytes, service }) {
    const { message, walletKey } = verified
    const { type, address, domain, sessionKey, expiresAt } = message
    const token = {
      id: newId(),
      organizationId,
      verificationType: type,
      contact: address,
      wallet: { domain, publicKey: walletKey },
      publicKey: sessionKey,
      expiresAt: Math.min(expiresAt, now + TOKEN_MS),
    }
    return {
      result: { verificationToken: signVerificationToken(token, service.tokenSigner) },
      put: [useNonce(rows.used, { nonce: sessionKey, expiresAt }, randomBytes)],
    }
  },
})

/** The message, checked to be for exactly this key: an observer of the message cannot use it for another key. */
function messageFor({ message: sent, publicKey }: TypeOf<typeof intent>): SignInMessage {
  const key = publicKey.length === COMPRESSED_DIGITS ? readP256Key(publicKey)?.compressed : undefined
  if (key === undefined) throw invalidSessionKey({ publicKey })
  const message = readSignInMessage(sent)
  if (message.sessionKey !== key)
    throw signInMessageInvalid({ why: 'its nonce must be the publicKey of the request, in lowercase' })
  if (walletAddress(message.type, message.address) !== message.address)
    throw signInMessageInvalid({ why: 'its second line must be the address as its chain writes it' })
  return message
}

const COMPRESSED_DIGITS = 66

function signedMessage(given: TypeOf<typeof intent>, { now, origins }: VerificationMeans): Signed {
  const message = messageFor(given)
  const why = badTime(message, now)
  if (why !== undefined) throw signInMessageInvalid({ why })
  // The same origins as for passkeys of the organization.
  if (origins !== undefined && !origins.includes(message.origin))
    throw signInMessageInvalid({ why: `its URI is not one of the origins that the organization allows` })
  const walletKey = signingWallet(message, given.message, given.signature)
  if (walletKey === undefined) throw walletSignatureInvalid({ address: message.address })
  return { message, walletKey }
}

function badTime({ issuedAt, notBefore, expiresAt }: SignInMessage, now: Ms): string | undefined {
  if (issuedAt > now + AHEAD_MAX_MS) return 'it was issued in the future'
  if (notBefore > now + AHEAD_MAX_MS) return 'it is not valid yet'
  if (expiresAt <= now) return 'it has expired'
  return expiresAt - issuedAt > GOOD_FOR_MAX_MS ? 'it is valid for more than a day' : undefined
}
