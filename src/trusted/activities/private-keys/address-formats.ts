import { type AddressFormat, curvesOf } from '../../chains/address-format.ts'
import { invalidAddressFormat } from '../../chains/failures.ts'
import type { Curve } from '../../crypto/curve.ts'

/** Refuses a format in which keys on this curve have no address. */
export function checkAddressFormats(curve: Curve, formats: readonly AddressFormat[]): void {
  for (const format of formats) {
    const curvesThatFit = curvesOf(format)
    if (!curvesThatFit.includes(curve)) throw invalidAddressFormat({ format, curve, curvesThatFit })
  }
}
