import { isScalar } from '../scalar.ts'

/** Whether the 64 bytes are r ‖ s with both in 1..order-1. */
export function isP1363(rs: Uint8Array, order: Uint8Array): boolean {
  return rs.length === 64 && isScalar(rs.subarray(0, 32), order) && isScalar(rs.subarray(32), order)
}
