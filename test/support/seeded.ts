import { createHash } from 'node:crypto'

/** Draws that follow from a seed and from nothing else. */
export type Seeded = {
  /** A whole number from 0, below the bound. */
  readonly below: (bound: number) => number
  readonly pick: <T>(from: readonly T[]) => T
  readonly bytes: (length: number) => Uint8Array
}

export function seeded(seed: string | number): Seeded {
  let drawn = 0
  const bytes = (length: number): Uint8Array => {
    const blocks: Buffer[] = []
    for (let have = 0; have < length; have += 32)
      blocks.push(createHash('sha256').update(`${seed} ${drawn++}`).digest())
    return new Uint8Array(Buffer.concat(blocks).subarray(0, length))
  }
  const below = (bound: number): number => Buffer.from(bytes(6)).readUIntBE(0, 6) % bound
  return {
    below,
    bytes,
    pick: (from) => {
      const item = from[below(from.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
  }
}
