import { asBuffer, equalBytes } from '../../base/bytes.ts'
import { hash160 } from '../hash160.ts'

type ScriptOfKey = {
  /** Whether the script pushes the key or its HASH160. */
  readonly hasKey: boolean
  /** Whether it has OP_CODESEPARATOR, which changes what a signature covers. */
  readonly hasSeparator: boolean
}

/**
 * Looks for a key in a redeem script or a witness script. A script that ends within a push can never be satisfied, so
 * it counts as having no keys.
 *
 * @param publicKey  33 bytes, compressed
 */
export function lookForKey(script: Uint8Array, publicKey: Uint8Array): ScriptOfKey {
  const none = { hasKey: false, hasSeparator: false }
  const keyHash = hash160(publicKey)
  let { hasKey, hasSeparator } = none
  for (let at = 0; at < script.length; ) {
    const push = pushAt(asBuffer(script), at)
    if (push === undefined) return none
    if (equalBytes(push.data, publicKey) || equalBytes(push.data, keyHash)) hasKey = true
    if (script[at] === OP_CODESEPARATOR) hasSeparator = true
    at = push.end
  }
  return { hasKey, hasSeparator }
}

/** The data that the operation at an index pushes; empty for other operations. */
function pushAt(script: Buffer, at: number): { readonly data: Uint8Array; readonly end: number } | undefined {
  const operation = script.readUInt8(at)
  const widthOfLength =
    operation < OP_PUSHDATA1 || operation > OP_PUSHDATA4 ? 0 : 1 << (operation - OP_PUSHDATA1)
  const start = at + 1 + widthOfLength
  if (start > script.length) return undefined
  const length =
    widthOfLength > 0 ? script.readUIntLE(at + 1, widthOfLength) : operation < OP_PUSHDATA1 ? operation : 0
  const end = start + length
  return end > script.length ? undefined : { data: script.subarray(start, end), end }
}

const OP_PUSHDATA1 = 0x4c
const OP_PUSHDATA4 = 0x4e
const OP_CODESEPARATOR = 0xab
