const PARTS = 10_000n

/** How much of a limit is used, from 0 to 1; amounts may have more digits than a number carries. */
export function shareOf(used: bigint, most: bigint): number {
  if (most <= 0n || used >= most) return 1
  return Number((used * PARTS) / most) / Number(PARTS)
}
