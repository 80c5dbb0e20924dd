import { p256 } from '@noble/curves/nist.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { ownValue, parsedJson } from '../base/json.ts'
import { badBundle } from '../failures.ts'
import type { Bytes } from './p256-keys.ts'

/** What a bundle has to be for, beside being of this service. */
type Expected = {
  /** P-256, 65 bytes uncompressed, lowercase hex. */
  readonly signerKey: string
  readonly organizationId: string
  /** Of an import alone. */
  readonly userId?: string
}

/**
 * Reads a bundle of version 1 that the service signed for this organization, and for this user where one is expected.
 *
 * @returns reads a member of its content by name
 * @throws  Failure `badBundle`
 */
export function verifiedEnvelope(
  bundle: string,
  { signerKey, organizationId, userId }: Expected,
): (name: string) => string {
  if (bundle.length > LENGTH_MAX) throw badBundle({ why: `it is longer than ${LENGTH_MAX} characters` })
  const envelope = members(bundle, 'it')
  if (envelope('version') !== 'v1.0.0') throw badBundle({ why: 'its version is not v1.0.0' })
  if (envelope('enclaveQuorumPublic') !== signerKey)
    throw badBundle({ why: 'another key than that of this service signed it' })
  const data = bytesOf(envelope('data'), 'data')
  const signature = bytesOf(envelope('dataSignature'), 'dataSignature')
  if (!isSigned(signature, data, hexToBytes(signerKey))) throw badBundle({ why: 'its signature is wrong' })
  const content = members(textOf(data), 'its data')
  if (content('organizationId') !== organizationId)
    throw badBundle({ why: 'it is for another organization than the one that the page named' })
  if (userId !== undefined && content('userId') !== userId)
    throw badBundle({ why: 'it is for another user than the one that the page named' })
  return content
}

/** Hexadecimal digits as bytes. @throws Failure `badBundle` */
export function bytesOf(hex: string, name: string): Bytes {
  if (hex.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(hex))
    throw badBundle({ why: `"${name}" is not hexadecimal` })
  return hexToBytes(hex) as Bytes // noble makes it anew
}

// The longest secret that the service keeps makes a shorter one.
const LENGTH_MAX = 256 * 1024

function isSigned(signature: Bytes, data: Bytes, signerKey: Uint8Array): boolean {
  try {
    return p256.verify(signature, data, signerKey, { format: 'der', lowS: false })
  } catch {
    // Not even the form of a signature.
    return false
  }
}

function textOf(data: Bytes): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data)
  } catch {
    throw badBundle({ why: 'its data is not UTF-8' })
  }
}

/** The own members of a JSON object, each a text. */
function members(json: string, what: string): (name: string) => string {
  const value = parsedJson(json)
  if (typeof value !== 'object' || value === null) throw badBundle({ why: `${what} is not a JSON object` })
  return (name) => {
    const member = ownValue(value, name)
    if (typeof member !== 'string') throw badBundle({ why: `${what} has no text "${name}"` })
    return member
  }
}
