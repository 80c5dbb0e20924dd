/** The curves of a caller's keys, by their names in the interface. */
export type Curve = 'CURVE_SECP256K1' | 'CURVE_ED25519' | 'CURVE_P256'

export const CURVES: readonly Curve[] = ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256']
