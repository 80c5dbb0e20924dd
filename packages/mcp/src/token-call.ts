/** A call of a token contract in its standard form (ERC-20), read from the data of the transaction. */
export type TokenCall = {
  readonly call: 'transfer' | 'approve' | 'transferFrom'
  readonly contract: string
  readonly from?: string
  /** Who gets the tokens; of an approval, who may take them. */
  readonly to: string
  /** In the token's smallest units; how many decimals it has, nobody says here. */
  readonly units: string
}

/** @returns undefined where the data are anything else than exactly such a call */
export function tokenCallIn(contract: string, data: string): TokenCall | undefined {
  const [, selector = '', words = ''] = /^0x([0-9a-fA-F]{8})((?:[0-9a-fA-F]{64}){2,3})$/.exec(data) ?? []
  const call = CALLS[selector.toLowerCase()]
  if (call === undefined || !/^0x[0-9a-fA-F]{40}$/.test(contract)) return undefined
  const addresses = words.slice(0, -64).match(/.{64}/g) ?? []
  if (addresses.length !== call.addresses || addresses.some((word) => !word.startsWith(PADDING)))
    return undefined
  const [first = '', second] = addresses.map((word) => `0x${word.slice(24)}`)
  return {
    call: call.name,
    contract,
    ...(second === undefined ? { to: first } : { from: first, to: second }),
    units: String(BigInt(`0x${words.slice(-64)}`)),
  }
}

const PADDING = '0'.repeat(24)

const CALLS: {
  readonly [selector: string]: { readonly name: TokenCall['call']; readonly addresses: number }
} = {
  a9059cbb: { name: 'transfer', addresses: 1 },
  '095ea7b3': { name: 'approve', addresses: 1 },
  '23b872dd': { name: 'transferFrom', addresses: 2 },
}
