import { readNetwork } from '../../../src/trusted/charter/cidr.ts'
import { isAddressAllowed } from '../../../src/trusted/charter/ip-allowlist.ts'

type Rule = { readonly cidr: string; readonly label?: string }

/** The rules of a text, one a line: a network, and what it is called; and the lines that are none, with the reason. */
export function rulesIn(text: string): {
  readonly rules: readonly Rule[]
  readonly problems: readonly { readonly line: string; readonly because: string }[]
} {
  const rules: Rule[] = []
  const problems: { line: string; because: string }[] = []
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue
    const [cidr = '', ...words] = line.split(/\s+/)
    const network = readNetwork(cidr)
    if (network.kind === 'refused') problems.push({ line, because: network.because })
    else rules.push({ cidr: network.cidr, ...(words.length === 0 ? {} : { label: words.join(' ') }) })
  }
  return { rules, problems }
}

/** Whether the list would let an address in, as the service decides it. */
export function letsIn(
  list: {
    readonly enabled: boolean
    readonly rules: readonly Rule[]
    readonly onEvaluationError: 'ALLOW' | 'DENY'
  },
  address: string,
): boolean {
  const rules = list.rules.map((rule) => ({ ...rule, createdAt: 0 }))
  return isAddressAllowed({ ipAllowlists: [{ ...list, rules }] }, undefined, address)
}

/** The network of one address alone. */
export function networkOf(address: string): string {
  return `${address}/${address.includes(':') ? 128 : 32}`
}
