import { decryptCredentialBundle, getPublicKey } from '@turnkey/crypto'
import type { KeyPair } from './setting.ts'

/** The key in a credential bundle, which the holder of the target key opens. */
export function openedBundle(bundle: string, target: Pick<KeyPair, 'privateKey'>): KeyPair {
  const privateKey = decryptCredentialBundle(bundle, target.privateKey)
  const publicKey = Buffer.from(getPublicKey(Buffer.from(privateKey, 'hex'), true)).toString('hex')
  return { privateKey, publicKey }
}
