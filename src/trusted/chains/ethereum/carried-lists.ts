import { toHex } from '../../base/bytes.ts'
import { SECP256K1_ORDER } from '../../crypto/scalar.ts'
import { invalidTransaction } from '../failures.ts'
import {
  ADDRESS_LENGTH,
  readFixed,
  readList,
  readTuple,
  readUint,
  UINT64_MAX,
  UINT256_MAX,
} from './fields.ts'
import type { RlpItem } from './rlp.ts'

// Lists of a transaction that policies do not see. They are checked to the last byte and kept unchanged.

/** `[[address, [storage key, …]], …]` (EIP-2930, "Parameters"). Both lists may have duplicates. */
export function checkAccessList(item: RlpItem | undefined, at: string): void {
  for (const [index, entry] of readList(item, at).entries()) {
    const [address, keys] = readTuple(entry, 2, `${at}[${index}]`)
    readFixed(address, ADDRESS_LENGTH, `${at}[${index}].address`)
    for (const key of readList(keys, `${at}[${index}].storage_keys`)) {
      readFixed(key, HASH_LENGTH, `a storage key of ${at}[${index}]`)
    }
  }
}

/**
 * `[[chain id, address, nonce, y parity, r, s], …]`, not empty (EIP-7702, "Set code transaction"). At execution the EIP
 * skips a tuple with an impossible signature; here it is refused, because some libraries cannot read it.
 */
export function checkAuthorizationList(item: RlpItem | undefined, at: string): void {
  const tuples = readList(item, at)
  if (tuples.length === 0) throw invalidTransaction({ what: `${at} is empty` })
  for (const [index, tuple] of tuples.entries()) {
    const name = `${at}[${index}]`
    const [chainId, address, nonce, yParity, r, s] = readTuple(tuple, 6, name)
    readUint(chainId, UINT256_MAX, `${name}.chain_id`)
    readFixed(address, ADDRESS_LENGTH, `${name}.address`)
    readUint(nonce, UINT64_MAX - 1n, `${name}.nonce`)
    readUint(yParity, 1n, `${name}.y_parity`)
    const signature = [readUint(r, ORDER - 1n, `${name}.r`), readUint(s, ORDER / 2n, `${name}.s`)]
    if (signature.includes(0n)) throw invalidTransaction({ what: `${name} has no signature` })
  }
}

/** Not empty; each is a hash of version 1, the only version (EIP-4844, "Blob transaction"). */
export function checkBlobHashes(item: RlpItem | undefined, at: string): void {
  const hashes = readList(item, at)
  if (hashes.length === 0) throw invalidTransaction({ what: `${at} is empty` })
  for (const [index, hash] of hashes.entries()) {
    const [version] = readFixed(hash, HASH_LENGTH, `${at}[${index}]`)
    if (version !== KZG_VERSION) throw invalidTransaction({ what: `${at}[${index}] is not of version 1` })
  }
}

const ORDER = BigInt(`0x${toHex(SECP256K1_ORDER)}`)
const HASH_LENGTH = 32
const KZG_VERSION = 1 // EIP-4844, "Parameters": VERSIONED_HASH_VERSION_KZG
