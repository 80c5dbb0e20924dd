import { isEd25519 } from '../arithmetic/edwards.ts'

/** In place of noble's curve for stamps, see `secp256k1.ts`. */
export const ed25519 = {
  verify: async (rs: Uint8Array, message: Uint8Array, key: Uint8Array): Promise<boolean> =>
    await isEd25519(rs, message, key),
}
