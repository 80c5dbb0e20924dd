/** A number of smallest units, exactly; with the same in coins where the field says how many decimals it has. */
export type Amount = { readonly units: string; readonly coins?: string }

/** @param field  the field that is counted, or an expression that names it */
export function amountOf(field: string, units: bigint): Amount {
  const coin = COINS.find(({ fields }) => fields.test(field))
  if (coin === undefined) return { units: String(units) }
  return { units: `${units} ${coin.unit}`, coins: `${decimal(units, coin.decimals)} ${coin.name}` }
}

/** In units, and in coins where they are known. */
export function amountText({ units, coins }: Amount): string {
  return coins === undefined ? units : `${units} (${coins})`
}

/** A chain like Ethereum may call its coin by another name; it has as many decimals all the same. */
const COINS = [
  {
    fields: /\beth\.tx\.(value|max_fee_per_gas|gas_price)\b/,
    unit: 'wei',
    decimals: 18,
    name: 'ether',
  },
  { fields: /\bsolana\.tx\.transfers\b/, unit: 'lamports', decimals: 9, name: 'SOL' },
  { fields: /\bbitcoin\.tx\.(outputs|fee)\b/, unit: 'satoshis', decimals: 8, name: 'BTC' },
  { fields: /\btron\.tx\.fee_limit\b/, unit: 'sun', decimals: 6, name: 'TRX' },
] as const

/** `1500000000000000000` with 18 decimals is `1.5`. */
function decimal(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}
