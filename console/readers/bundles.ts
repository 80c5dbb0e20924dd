import { openExportBundle } from '../../frames/bundles/export-bundle.ts'
import { encryptedImport, readImportTarget } from '../../frames/bundles/import-bundle.ts'
import { type Bytes, rawPublicKey } from '../../frames/bundles/p256-keys.ts'
import { expectAddress } from '../../frames/keys/expect-address.ts'
import { decodedKey, encodedKey } from '../../frames/keys/key-format.ts'
import { walletBytes, walletText } from '../../frames/keys/wallet-text.ts'

/** A key for one export. It lives in the memory of this tab, and no script reads its private half. */
export type Receiver = { readonly privateKey: CryptoKey; readonly publicKey: Bytes }

/** Who a bundle has to be signed by, and for whom. */
export type Expected = { readonly signerKey: string; readonly organizationId: string }

/** What somebody types: a sentence with its passphrase, or a key in one of the formats of wallets. */
export type Typed =
  | { readonly kind: 'wallet'; readonly text: string; readonly passphrase: string }
  | { readonly kind: 'privateKey'; readonly text: string; readonly keyFormat: string }

/** What came out of a bundle; the address that the request named is compared where its chain allows it. */
export type Wanted =
  | { readonly kind: 'wallet' }
  | { readonly kind: 'privateKey'; readonly keyFormat: string; readonly address?: string }

export async function newReceiver(): Promise<Receiver> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(
    { name: 'ECDH', namedCurve: 'P-256' },
    false,
    ['deriveBits'],
  )
  return { privateKey, publicKey: await rawPublicKey(publicKey) }
}

/** @throws Failure `badBundle`, `badKey`, `wrongAddress` */
export async function openedExport(
  bundle: string,
  expected: Expected,
  { receiver, wanted }: { readonly receiver: Receiver; readonly wanted: Wanted },
): Promise<string> {
  const plaintext = await openExportBundle(bundle, expected, receiver)
  try {
    if (wanted.kind === 'wallet') return walletText(plaintext)
    if (wanted.address !== undefined) expectAddress(wanted.address, plaintext)
    return encodedKey(wanted.keyFormat, plaintext)
  } finally {
    plaintext.fill(0)
  }
}

/** The bytes that an import holds. @throws Failure `badKey` */
export function typedBytes(typed: Typed): Bytes {
  return typed.kind === 'wallet' ? walletBytes(typed) : decodedKey(typed.keyFormat, typed.text)
}

/**
 * Encrypts to the key in the bundle, once that is known to be for this person and signed by this service.
 *
 * @throws Failure `badBundle`
 */
export async function encryptedTo(
  bundle: string,
  expected: Expected & { readonly userId: string },
  plaintext: Bytes,
): Promise<string> {
  return await encryptedImport(await readImportTarget(bundle, expected), plaintext)
}
