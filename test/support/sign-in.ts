import { createPrivateKey, sign } from 'node:crypto'
import { base58 } from '@scure/base'
import { privateKeyToAccount } from 'viem/accounts'
import { ed25519PublicKeyOf } from '../../src/trusted/crypto/ed25519.ts'
import type { World } from '../../src/trusted/base/world.ts'
import { type StampKey, stampKeyFrom } from './stamper.ts'

/** A wallet that a person holds elsewhere. */
export type OwnWallet = {
  readonly chain: 'Ethereum' | 'Solana'
  readonly type: string
  readonly address: string
  readonly sign: (message: string) => Promise<string>
}

export function anEthereumWallet({ randomBytes }: Pick<World, 'randomBytes'>): OwnWallet {
  const account = privateKeyToAccount(`0x${Buffer.from(randomBytes(32)).toString('hex')}`)
  return {
    chain: 'Ethereum',
    type: 'WALLET_AUTHENTICATOR_TYPE_ETHEREUM',
    address: account.address,
    sign: async (message) => (await account.signMessage({ message })).slice(2),
  }
}

export function aSolanaWallet({ randomBytes }: Pick<World, 'randomBytes'>): OwnWallet {
  const seed = randomBytes(32)
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]) // RFC 8410, 7
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return {
    chain: 'Solana',
    type: 'WALLET_AUTHENTICATOR_TYPE_SOLANA',
    address: base58.encode(Buffer.from(ed25519PublicKeyOf(seed), 'hex')),
    sign: async (message) => sign(null, Buffer.from(message), key).toString('hex'),
  }
}

export const DOMAIN = 'app.example.com'

/** The parts of a message that a test may want otherwise. */
export type Said = {
  readonly domain?: string
  readonly uri?: string
  readonly chain?: string
  readonly chainId?: string
  readonly nonce?: string
  readonly address?: string
  readonly issuedAt?: number
  readonly expiresAt?: number
  readonly resources?: readonly string[]
}

/** The message as the published clients of September 2026 write it, fourteen lines. */
export function signInMessage(wallet: OwnWallet, publicKey: string, now: number, said: Said = {}): string {
  const { domain = DOMAIN, issuedAt = now, expiresAt = issuedAt + 3_600_000 } = said
  const time = (at: number) => new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z')
  const protocol = wallet.chain === 'Ethereum' ? 'siwe' : 'siws'
  const { resources = [`urn:turnkey:wallet-protocol:${protocol}`, `urn:turnkey:session-key:${publicKey}`] } =
    said
  return [
    `${domain} wants you to sign in with your ${said.chain ?? wallet.chain} account:`,
    said.address ?? wallet.address,
    '',
    'Authorize this key for wallet authentication.',
    '',
    `URI: ${said.uri ?? `https://${domain}/login`}`,
    'Version: 1',
    `Chain ID: ${said.chainId ?? (wallet.chain === 'Ethereum' ? '1' : 'solana')}`,
    `Nonce: ${said.nonce ?? publicKey}`,
    `Issued At: ${time(issuedAt)}`,
    `Expiration Time: ${time(expiresAt)}`,
    'Resources:',
    ...resources.map((resource) => `- ${resource}`),
  ].join('\n')
}

/** A request to verify what the wallet has signed for a session key; a new one unless it is given. */
export async function signIn(
  world: Pick<World, 'randomBytes' | 'now'>,
  wallet: OwnWallet,
  said: Said & { readonly key?: StampKey } = {},
) {
  const { publicKey } = said.key ?? aSessionKey(world)
  const message = signInMessage(wallet, publicKey, world.now(), said)
  return { message, signature: await wallet.sign(message), publicKey }
}

export function aSessionKey({ randomBytes }: Pick<World, 'randomBytes'>): StampKey {
  return stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', randomBytes)
}
