import { asBuffer } from '../../base/bytes.ts'
import { type Instruction, malformed } from './instruction.ts'

export const SYSTEM_PROGRAM = '11111111111111111111111111111111'

/** Lamports that the System program moves from one account to another. */
type SystemTransfer = { readonly from: string; readonly to: string; readonly amount: bigint }

/**
 * The transfer in an instruction of the System program: Transfer or TransferWithSeed. Validators ignore bytes after the
 * known fields; here such an instruction is refused, like one that is too short.
 *
 * @throws Failure `invalidTransaction`
 * @see    `SystemInstruction` of solana-system-interface: a number of 4 bytes, then the fields, little-endian
 */
export function systemTransfers({ accounts, data }: Instruction): readonly SystemTransfer[] {
  const bytes = asBuffer(data)
  if (bytes.length < 4) throw malformed('of the System program', 'it has no number')
  switch (bytes.readUInt32LE(0)) {
    case TRANSFER: {
      if (bytes.length !== 12) throw malformed('Transfer', `its data has ${bytes.length} bytes, not 12`)
      const [from, to] = accounts
      if (from === undefined || to === undefined) throw malformed('Transfer', 'it lacks accounts')
      return [{ from: from.address, to: to.address, amount: bytes.readBigUInt64LE(4) }]
    }
    case TRANSFER_WITH_SEED: {
      expectSeededLength(bytes)
      // The second account signs for the first, whose address is derived from it.
      const [from, , to] = accounts
      if (from === undefined || to === undefined) throw malformed('TransferWithSeed', 'it lacks accounts')
      return [{ from: from.address, to: to.address, amount: bytes.readBigUInt64LE(4) }]
    }
    default:
      return []
  }
}

const TRANSFER = 2
const TRANSFER_WITH_SEED = 11

/** Number (4), lamports (8), length of the seed (8), the seed, the owner that it is derived with (32). */
function expectSeededLength(bytes: Buffer): void {
  const seedLength = bytes.length < 20 ? undefined : bytes.readBigUInt64LE(12)
  if (seedLength === undefined || BigInt(bytes.length) !== 52n + seedLength) {
    throw malformed('TransferWithSeed', 'its data does not have the length that it says')
  }
}
