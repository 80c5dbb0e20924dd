import { type AddressNetwork, pkhAddress, shAddress, witnessAddress } from '../bitcoin-network.ts'

/** A script that has an address. `program`: the hash of 20 or 32 bytes, or the x of the Taproot output key. */
export type OutputScript = {
  readonly type: 'P2PKH' | 'P2SH' | 'P2WPKH' | 'P2WSH' | 'P2TR'
  readonly program: Uint8Array
}

/** Undefined for scripts that have no address of these types: data, bare keys, later witness versions. */
export function readOutputScript(script: Uint8Array): OutputScript | undefined {
  const template = templates.find(
    ({ before, length, after }) =>
      script.length === before.length + length + after.length &&
      before.every((byte, index) => script[index] === byte) &&
      after.every((byte, index) => script[before.length + length + index] === byte),
  )
  if (template === undefined) return undefined
  const { type, before, length } = template
  return { type, program: script.subarray(before.length, before.length + length) }
}

export function addressOfScript(network: AddressNetwork, { type, program }: OutputScript): string {
  switch (type) {
    case 'P2PKH':
      return pkhAddress(network, program)
    case 'P2SH':
      return shAddress(network, program)
    case 'P2WPKH':
    case 'P2WSH':
      return witnessAddress(network, 0, program)
    case 'P2TR':
      return witnessAddress(network, 1, program)
  }
}

/** @see BIP-141, "Witness program" */
export function isWitnessProgram(script: Uint8Array): boolean {
  const [version, length] = script
  return (
    version !== undefined &&
    (version === OP_0 || (version >= OP_1 && version <= OP_16)) &&
    script.length >= 4 &&
    script.length <= 42 &&
    length === script.length - 2
  )
}

const OP_0 = 0x00
const OP_1 = 0x51
const OP_16 = 0x60

const templates = [
  // OP_DUP OP_HASH160 <20 bytes> OP_EQUALVERIFY OP_CHECKSIG
  { type: 'P2PKH', before: [0x76, 0xa9, 0x14], length: 20, after: [0x88, 0xac] },
  // OP_HASH160 <20 bytes> OP_EQUAL (BIP-16)
  { type: 'P2SH', before: [0xa9, 0x14], length: 20, after: [0x87] },
  { type: 'P2WPKH', before: [OP_0, 0x14], length: 20, after: [] },
  { type: 'P2WSH', before: [OP_0, 0x20], length: 32, after: [] },
  { type: 'P2TR', before: [OP_1, 0x20], length: 32, after: [] },
] as const
