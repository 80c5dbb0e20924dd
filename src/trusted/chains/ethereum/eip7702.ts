import { keccak_256 } from '@noble/hashes/sha3.js'
import { concat } from '../../base/bytes.ts'
import { Failure } from '../../base/failure.ts'
import { readInteger } from '../json-integer.ts'
import { exactMembers, readJsonPayload } from '../json-payload.ts'
import { readAccount } from './account.ts'
import { ADDRESS_LENGTH, readFixed, readTuple, readUint } from './fields.ts'
import { readRlp } from './read-rlp.ts'
import { encodeRlp, rlpInteger } from './rlp.ts'

/** Lets the code at `address` act for the account that signs. Chain 0 means every chain. */
export type Authorization = {
  readonly chainId: bigint
  /** 20 bytes. */
  readonly address: Uint8Array
  readonly nonce: bigint
}

/**
 * Reads the JSON text `{ address, chainId, nonce }`; numbers may be strings, see `readInteger`.
 *
 * @throws Failure `invalidPayloadEncoding`
 */
export function parseAuthorization(payload: string): Authorization {
  const object = readJsonPayload(payload, NAME)
  const [address = null, chainId = null, nonce = null] = exactMembers(
    object,
    ['address', 'chainId', 'nonce'],
    NAME,
  )
  return {
    address: readAccount(address, `${NAME}: address`),
    chainId: readInteger(chainId, CHAIN_ID, `${NAME}: chainId`),
    nonce: readInteger(nonce, NONCE, `${NAME}: nonce`),
  }
}

/** Keccak-256 of 05 ‖ rlp([chain id, address, nonce]): 32 bytes (EIP-7702, "Behavior"). */
export function authorizationDigest({ chainId, address, nonce }: Authorization): Uint8Array {
  return keccak_256(
    concat(Uint8Array.of(MAGIC), encodeRlp([rlpInteger(chainId), address, rlpInteger(nonce)])),
  )
}

/** The authorization in the preimage of such a digest; undefined for other bytes. */
export function authorizationIn(bytes: Uint8Array): Authorization | undefined {
  if (bytes[0] !== MAGIC) return undefined
  try {
    const [chainId, address, nonce] = readTuple(readRlp(bytes.subarray(1)), 3, NAME)
    return {
      chainId: readUint(chainId, CHAIN_ID.max, `${NAME}: chainId`),
      address: readFixed(address, ADDRESS_LENGTH, `${NAME}: address`),
      nonce: readUint(nonce, NONCE.max, `${NAME}: nonce`),
    }
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

const MAGIC = 0x05
const NAME = 'EIP-7702 authorization'
const CHAIN_ID = { min: 0n, max: 2n ** 256n - 1n }
const NONCE = { min: 0n, max: 2n ** 64n - 2n } // EIP-7702: a nonce of 2^64 - 1 is never valid
