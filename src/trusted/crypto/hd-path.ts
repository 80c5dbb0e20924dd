/** A path from the root of a key tree to one key, one entry per level in both lists; the root itself has none. */
export type HdPath = {
  /** 0 to 2^31-1, without the bit that BIP-32 puts on top for a hardened level. */
  readonly indexes: readonly number[]
  readonly hardened: readonly boolean[]
}

/**
 * Reads a path such as `m/44'/60'/0'/0/0` (BIP-32), in the one spelling that each path has: decimal without leading
 * zeros, `'` for a hardened level, and `m` for the root.
 *
 * @returns  undefined for any other text, and for more than 255 levels, which BIP-32 cannot count
 */
export function readPath(text: string): HdPath | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined
  const [root, ...levels] = text.split('/')
  if (root !== 'm' || levels.length > DEPTH_MAX) return undefined
  const indexes: number[] = []
  const hardened: boolean[] = []
  for (const level of levels) {
    const digits = LEVEL.exec(level)?.[1]
    if (digits === undefined || Number(digits) >= INDEX_END) return undefined
    indexes.push(Number(digits))
    hardened.push(level.endsWith("'"))
  }
  return { indexes, hardened }
}

const LEVEL = /^(0|[1-9][0-9]{0,9})'?$/

const INDEX_END = 2 ** 31

// The depth of a node is one byte in the serialization of BIP-32.
const DEPTH_MAX = 255

// `m`, then at most 12 characters for each level.
const TEXT_LENGTH_MAX = 1 + DEPTH_MAX * "/2147483647'".length
