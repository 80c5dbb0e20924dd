import type { Answered } from '../../service/answered.ts'

/** A way in of a user, of whatever kind, as the page lists it. */
export type Credential = {
  readonly id: string
  readonly name: string
  /** Whether a login made it, and not somebody who registered it. */
  readonly isSession: boolean
  /** In milliseconds since 1970. */
  readonly createdAt: number
  /** The same; undefined where it does not end by itself. */
  readonly endsAt: number | undefined
  /** What tells it from others: a curve and a public key, or an account elsewhere. */
  readonly details: readonly string[]
}

export function apiKeysOf(user: Answered): readonly Credential[] {
  return user.list('apiKeys').map((key) => {
    const credential = key.object('credential')
    const [type, createdAt] = [credential.text('type'), createdAtOf(key)]
    return {
      id: key.text('apiKeyId'),
      name: key.text('apiKeyName'),
      isSession: !type.includes('_API_KEY_'),
      createdAt,
      endsAt: key.has('expirationSeconds') ? createdAt + key.number('expirationSeconds') * 1_000 : undefined,
      details: [CURVES.find((one) => type.endsWith(one.ending))?.name ?? type, credential.text('publicKey')],
    }
  })
}

/** Of API keys, as `create_api_keys` names them and as types of credentials end. */
export const CURVES = [
  { curveType: 'API_KEY_CURVE_P256', ending: '_P256', name: 'P-256' },
  { curveType: 'API_KEY_CURVE_SECP256K1', ending: '_SECP256K1', name: 'secp256k1' },
  { curveType: 'API_KEY_CURVE_ED25519', ending: '_ED25519', name: 'Ed25519' },
] as const

export function passkeysOf(user: Answered): readonly Credential[] {
  return user.list('authenticators').map((passkey) => ({
    ...lasting(passkey),
    id: passkey.text('authenticatorId'),
    name: passkey.text('authenticatorName'),
    details: [],
  }))
}

export function providersOf(user: Answered): readonly Credential[] {
  return user.listOrNone('oauthProviders').map((provider) => ({
    ...lasting(provider),
    id: provider.text('providerId'),
    name: provider.text('providerName'),
    details: ['issuer', 'audience', 'subject'].map((name) => provider.text(name)),
  }))
}

export function walletsOf(user: Answered): readonly Credential[] {
  return user.listOrNone('walletAuthenticators').map((wallet) => ({
    ...lasting(wallet),
    id: wallet.text('walletAuthenticatorId'),
    name: wallet.text('address'),
    details: [wallet.text('type').replace('WALLET_AUTHENTICATOR_TYPE_', ''), wallet.text('domain')],
  }))
}

function lasting(one: Answered) {
  return { isSession: false, createdAt: createdAtOf(one), endsAt: undefined }
}

function createdAtOf(one: Answered): number {
  return one.object('createdAt').number('seconds') * 1_000
}
