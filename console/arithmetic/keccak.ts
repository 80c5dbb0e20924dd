/** Keccak-256 as Ethereum has it: the sponge of SHA-3 with the padding from before the standard. 32 bytes. */
export function keccak_256(message: Uint8Array): Uint8Array {
  return squeezed(message, 0x01)
}

/** SHA3-256 (FIPS 202), 32 bytes. */
export function sha3_256(message: Uint8Array): Uint8Array {
  return squeezed(message, 0x06)
}

/** @param suffix  the bits between the message and its padding, and the first bit of that */
function squeezed(message: Uint8Array, suffix: number): Uint8Array {
  const state = new DataView(new ArrayBuffer(240))
  const mix = (at: number, byte: number): void => state.setUint8(at, state.getUint8(at) ^ byte)
  let at = 0
  for (const byte of message) {
    mix(at++, byte)
    if (at < RATE) continue
    permute(state)
    at = 0
  }
  mix(at, suffix)
  mix(RATE - 1, 0x80)
  permute(state)
  return new Uint8Array(state.buffer.slice(0, 32))
}

const RATE = 136

/** Keccak-f[1600] (FIPS 202, section 3.2). Each of the 25 lanes is two words, the lower one first. */
function permute(state: DataView): void {
  const word = (at: number): number => state.getInt32(4 * at, true)
  const set = (at: number, to: number): void => state.setInt32(4 * at, to, true)
  let bits = 1
  for (let round = 0; round < 24; round++) {
    // Theta
    for (let at = 0; at < 10; at++)
      set(COLUMNS + at, word(at) ^ word(at + 10) ^ word(at + 20) ^ word(at + 30) ^ word(at + 40))
    for (let at = 0; at < 10; at++) {
      const [before, after, other] = [(at + 8) % 10, (at + 2) % 10, ((at ^ 1) + 2) % 10]
      const sum = word(COLUMNS + before) ^ (word(COLUMNS + after) << 1) ^ (word(COLUMNS + other) >>> 31)
      for (let to = at; to < 50; to += 10) set(to, word(to) ^ sum)
    }
    // Rho and pi
    let [low, high] = [word(2), word(3)]
    for (const { at, turns } of STEPS) {
      const [nextLow, nextHigh] = [word(at), word(at + 1)]
      const [l, h] = turns > 31 ? [high, low] : [low, high]
      set(at, (l << turns) | (h >>> -turns))
      set(at + 1, (h << turns) | (l >>> -turns))
      low = nextLow
      high = nextHigh
    }
    // Chi
    for (let row = 0; row < 50; row += 10) {
      for (let at = 0; at < 10; at++) set(COLUMNS + at, word(row + at))
      for (let at = 0; at < 10; at++)
        set(row + at, word(row + at) ^ (~word(COLUMNS + ((at + 2) % 10)) & word(COLUMNS + ((at + 4) % 10))))
    }
    // Iota
    for (let power = 0; power < 7; power++) {
      bits = (bits << 1) ^ ((bits >> 7) * 0x171)
      const at = power === 6 ? 1 : 0
      if ((bits & 2) !== 0) set(at, word(at) ^ (1 << ((1 << power) - 1)))
    }
  }
}

/** Five lanes for a while, behind the state. */
const COLUMNS = 50

/** Where the lane that was taken out last goes, and how far it is turned: the next one to be taken out stands there. */
const STEPS = steps()

function steps(): readonly { readonly at: number; readonly turns: number }[] {
  let [x, y] = [1, 0]
  return Array.from({ length: 24 }, (_, step) => {
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
    return { at: 2 * (5 * y + x), turns: (((step + 1) * (step + 2)) / 2) % 64 }
  })
}
