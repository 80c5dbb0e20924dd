import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { kindOf } from '../../catalogue/form.ts'
import { DAY_MS } from '../../policy/duration.ts'
import { isInRange, USAGE_WINDOW_MAX_MS } from '../../policy/limits.ts'
import type { ControlParams } from './control-params.ts'

export const controlNotBuilt = defineFailure<{ readonly why: string }>({
  kind: 'controlNotBuilt',
  code: INVALID_ARGUMENT,
  say: ({ why }) => `invalid velocity control: ${why}`,
})

/**
 * The condition that implements a control. A control that limits on usage cannot count is refused, so that a control
 * never counts less than it declares.
 *
 * @throws Failure `controlNotBuilt`
 */
export function controlExpression({ dataSource, aggregation }: ControlParams): string {
  const { method, operator, threshold } = aggregation
  const isSum = method === 'VELOCITY_CONTROL_AGGREGATION_METHOD_SUM'
  const { amount, decimals } = counted(dataSource, isSum)
  const by = [quoted(windowOf(aggregation.window)), ...groupOf(aggregation.groupBy)].join(', ')
  return `usage.sum(${amount}, ${by}) ${OPERATORS[operator]} ${wholeOf(threshold, decimals)}`
}

const OPERATORS = {
  VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN: '<',
  VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN_OR_EQUAL: '<=',
  VELOCITY_CONTROL_AGGREGATION_OPERATOR_EQUAL: '==',
  VELOCITY_CONTROL_AGGREGATION_OPERATOR_GREATER_THAN_OR_EQUAL: '>=',
  VELOCITY_CONTROL_AGGREGATION_OPERATOR_GREATER_THAN: '>',
} as const

type Counted = { readonly amount: string; readonly decimals: number }

function counted(
  { chainAssetTransfer, activityExecution }: ControlParams['dataSource'],
  isSum: boolean,
): Counted {
  if ((chainAssetTransfer === undefined) === (activityExecution === undefined))
    throw refused('its data source must be one of chainAssetTransfer and activityExecution')
  if (chainAssetTransfer !== undefined) return transfers(chainAssetTransfer, isSum)
  if (isSum) throw refused('activities have no amount to be summed: count them, or name chainAssetTransfer')
  const kinds = kindsIn(activityExecution?.filter)
  // 1 for an activity of these kinds, 0 for any other: it is not counted, but still sees the earlier usage.
  return {
    amount: kinds === undefined ? '1' : `[activity.kind].filter(k, k in ${kinds}).count()`,
    decimals: 0,
  }
}

type Transfers = NonNullable<ControlParams['dataSource']['chainAssetTransfer']>

function transfers({ definition, filter, phase }: Transfers, isSum: boolean): Counted {
  if (phase?.submission !== undefined)
    throw refused(
      'this service does not broadcast transactions: a transfer is counted when it is signed (phase.signature)',
    )
  const chains = definition.map(({ caip19 }) => {
    const chain = NATIVE.exec(caip19)?.[1]
    if (chain === undefined)
      throw refused(
        `${JSON.stringify(caip19)} cannot be counted: only native assets of Ethereum chains can, such as eip155:1/slip44:60`,
      )
    return chain
  })
  if (definition.some(({ decimals }) => decimals !== String(NATIVE_DECIMALS)))
    throw refused(`native assets of Ethereum chains have ${NATIVE_DECIMALS} decimals`)
  const kinds = kindsIn(filter)
  const isIt = [
    `eth.tx.chain_id in [${[...new Set(chains)].join(', ')}]`,
    ...(kinds === undefined ? [] : [`activity.kind in ${kinds}`]),
  ].join(' && ')
  return isSum
    ? { amount: `[eth.tx.value, 0].filter(v, v == 0 || (${isIt}))[0]`, decimals: NATIVE_DECIMALS }
    : { amount: `[eth.tx.value].filter(v, v > 0 && ${isIt}).count()`, decimals: 0 }
}

// CAIP-19 over CAIP-2; a chain id in the one spelling that a number has.
const NATIVE = /^eip155:([1-9][0-9]{0,14})\/slip44:[0-9]{1,10}$/
const NATIVE_DECIMALS = 18

/** All versions of the types: a limited user could send any version, with the same effect. */
function kindsIn(filter: Transfers['filter']): string | undefined {
  const kinds = new Set(filter?.activity?.map(({ activityType }) => quoted(kindOf(activityType))))
  return kinds.size === 0 ? undefined : `[${[...kinds].join(', ')}]`
}

function windowOf({ rolling, infinite }: ControlParams['aggregation']['window']): string {
  if (rolling === undefined || infinite !== undefined)
    throw refused('its window must be rolling: usage is not stored permanently')
  const seconds = /^[1-9][0-9]{0,11}$/.test(rolling.duration) ? Number(rolling.duration) : 0
  if (seconds < 60 || seconds % 60 !== 0 || seconds * 1000 > USAGE_WINDOW_MAX_MS)
    throw refused(
      `its window must be whole minutes, in seconds, and ${USAGE_WINDOW_MAX_MS / DAY_MS} days at most, not ${JSON.stringify(rolling.duration)}`,
    )
  const minutes = seconds / 60
  return [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor((minutes % 1440) / 60), 'h'],
    [minutes % 60, 'm'],
  ]
    .filter(([number]) => number !== 0)
    .flat()
    .join('')
}

function groupOf({ organization, user, wallet }: ControlParams['aggregation']['groupBy']): readonly string[] {
  if ([organization, user, wallet].filter((item) => item !== undefined).length !== 1)
    throw refused('its groupBy must be one of organization, user and wallet')
  if (user !== undefined) return ['usage.user']
  return wallet === undefined ? [] : ['wallet.id']
}

/** In the smallest unit. */
function wholeOf(threshold: string, decimals: number): string {
  const [, whole = '', fraction = ''] = THRESHOLD.exec(threshold) ?? []
  const significant = fraction.replace(/0+$/, '')
  if (whole === '' || whole.length + fraction.length > 38 || significant.length > decimals)
    throw refused(
      `its threshold must be a decimal number of at most 38 digits, of them ${decimals} behind the point, not ${JSON.stringify(threshold)}`,
    )
  const number = BigInt(whole + significant.padEnd(decimals, '0'))
  if (!isInRange(number)) throw refused(`its threshold ${threshold} is larger than any amount`)
  return String(number)
}

const THRESHOLD = /^([0-9]{1,38})(?:\.([0-9]{1,18}))?$/

/** Neither kinds nor windows have a quote in them. */
function quoted(text: string): string {
  return `'${text}'`
}

function refused(why: string): Error {
  return controlNotBuilt({ why })
}
