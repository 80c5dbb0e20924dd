/** A coin or a token with known decimals. */
export type Unit = { readonly symbol: string; readonly decimals: number; readonly smallest: string }

/** A coin in which the fees of a chain are paid. */
export type Coin = Unit & {
  /** The fee from which on an approval calls it a danger, in smallest units: some 1,000 dollars in 2026. */
  readonly feeOfNote: bigint | undefined
}

/** The danger of a high fee, in smallest units: the sender of a proposal may share the fee with its collector. */
export function feeDangers(fee: bigint, coin: Coin): readonly string[] {
  const { feeOfNote } = coin
  return feeOfNote === undefined || fee < feeOfNote
    ? []
    : [`It can cost fees of ${coinText(feeOfNote, coin)} or more.`]
}

/** `1.5 ETH (1500000000000000000 wei)`. */
export function amountText(units: bigint, unit: Unit): string {
  return `${coinText(units, unit)} (${units} ${unit.smallest})`
}

/** `1.5 ETH`, where the bytes hold no such number: a product of two of their fields. */
export function coinText(units: bigint, { symbol, decimals }: Unit): string {
  return `${decimalText(units, decimals)} ${symbol}`
}

/** `1500000000000000000` with 18 decimals is `1.5`: exact, with every digit, and without separators. */
function decimalText(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
