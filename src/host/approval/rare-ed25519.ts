import { ed25519 } from '@noble/curves/ed25519.js'

/**
 * Verification of a stamp on a curve that some browsers lack: a page loads this file only for such a stamp, and its
 * arithmetic takes a moment (`console/platform/ed25519.ts`).
 */
export function isEd25519(
  key: Uint8Array,
  request: Uint8Array,
  signature: Uint8Array,
): boolean | Promise<boolean> {
  return signature.length === 64 && ed25519.verify(signature, request, key, { zip215: false })
}
