import { flag, oneAndOptions, text } from '../arguments.ts'
import { printable } from '../policies/printable.ts'
import { UsageError } from '../usage.ts'
import { amountIn } from './amount.ts'
import { type PaymentChain, paymentChain } from './payment-chains.ts'
import { isAgentName, type Template, TEMPLATES } from './wanted-agent.ts'

/** The options of the command line, read as far as possible without the organization. */
export type CreateOptions = {
  readonly name: string
  readonly template: Template
  readonly chain: PaymentChain
  readonly wallet?: string
  readonly daily?: bigint
  readonly perTransaction?: bigint
  readonly to: readonly string[]
  readonly calls: boolean
  readonly askAbove?: string
  /** As written, and in seconds. */
  readonly expires?: { readonly text: string; readonly seconds: number }
  readonly subOrganization: boolean
  readonly as?: string
  readonly yes: boolean
}

const OPTIONS = {
  as: text,
  json: flag,
  template: text,
  wallet: text,
  chain: text,
  daily: text,
  'per-transaction': text,
  to: text,
  calls: flag,
  'ask-above': text,
  expires: text,
  'sub-organization': flag,
  yes: flag,
} as const

/** @throws UsageError */
export function createOptions(args: readonly string[]): CreateOptions {
  const { subject, values } = oneAndOptions(args, 'the name of an agent', OPTIONS)
  const template = TEMPLATES.find((known) => known === (values.template ?? 'payer'))
  if (template === undefined) throw new UsageError(`--template is one of: ${TEMPLATES.join(', ')}`)
  const chain = paymentChain(values.chain ?? 'ethereum')
  const { wallet, daily, 'per-transaction': perTransaction, expires } = values
  const options: CreateOptions = {
    name: agentName(subject),
    template,
    chain,
    ...(wallet === undefined ? {} : { wallet }),
    ...(daily === undefined ? {} : { daily: amountIn(daily, chain.units, '--daily') }),
    ...(perTransaction === undefined
      ? {}
      : { perTransaction: amountIn(perTransaction, chain.units, '--per-transaction') }),
    to: addressesIn(values.to, chain),
    calls: values.calls ?? false,
    ...(values['ask-above'] === undefined ? {} : { askAbove: values['ask-above'] }),
    ...(expires === undefined ? {} : { expires: { text: expires, seconds: secondsIn(expires) } }),
    subOrganization: values['sub-organization'] ?? false,
    ...(values.as === undefined ? {} : { as: values.as }),
    yes: values.yes ?? false,
  }
  checkTogether(options)
  if (values.chain !== undefined && template !== 'payer' && template !== 'worker')
    throw new UsageError(`--chain: the template ${template} signs on no chain`)
  return options
}

/** @throws UsageError */
export function agentName(given: string): string {
  if (!isAgentName(given))
    throw new UsageError(
      `${printable(given)} is not a name for an agent: use up to 40 lower-case letters, digits and hyphens, and no hyphen first`,
    )
  return given
}

function checkTogether({
  template,
  daily,
  perTransaction,
  askAbove,
  to,
  calls,
  wallet,
}: CreateOptions): void {
  const limited = daily ?? perTransaction ?? askAbove
  if (template === 'payer') {
    if (limited === undefined)
      throw new UsageError('a payer has a limit: --daily, --per-transaction or --ask-above')
    if (calls && to.length === 0) throw new UsageError('--calls needs --to: the contracts that may be called')
    if (daily !== undefined && perTransaction !== undefined && perTransaction > daily)
      throw new UsageError('--per-transaction is more than --daily')
    return
  }
  if (limited !== undefined || to.length > 0 || calls)
    throw new UsageError(
      `--daily, --per-transaction, --to, --calls and --ask-above are for a payer: nothing would hold a ${template} to them`,
    )
  if (wallet !== undefined && template !== 'worker')
    throw new UsageError(`a ${template} signs with no wallet`)
}

const ADDRESSES_MAX = 50

function addressesIn(given: string | undefined, chain: PaymentChain): readonly string[] {
  if (given === undefined) return []
  const addresses = given.split(',').map((part) => {
    const address = chain.address(part.trim())
    if (address === undefined)
      throw new UsageError(`--to ${printable(part)} is not an address of ${chain.title}`)
    return address
  })
  if (addresses.length > ADDRESSES_MAX) throw new UsageError(`--to takes at most ${ADDRESSES_MAX} addresses`)
  return [...new Set(addresses)]
}

const SECONDS: { readonly [unit: string]: number } = { d: 86_400, h: 3_600, m: 60 }

function secondsIn(given: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([dhm])$/.exec(given) ?? []
  if (count === '')
    throw new UsageError(`--expires ${printable(given)} is not a duration: an example is 30d, 12h or 90m`)
  return Number(count) * (SECONDS[unit] ?? 0)
}
