import type { Config } from '../app/config.ts'
import { carryOutOrder, type Order, type OrderAnswer } from '../delivery/operator-commands.ts'
import { OPERATOR_PATH } from '../http/operator-routes.ts'
import { readWords, takesOnly } from './arguments.ts'
import { askData } from './ask-data.ts'
import { instant } from './instant.ts'
import { printable, printableJson } from './policies/printable.ts'
import { progress } from './progress.ts'
import { UsageError } from './usage.ts'
import type { CommandOf, ExitCode } from './exit-codes.ts'

/**
 * `claviger webhooks`: lists waiting jobs and dead letters, and delivers again. It needs no root key. The embedded
 * store belongs to one process: while the service runs, the command asks the service.
 */
export async function webhooks(
  config: Config,
  args: readonly string[],
): Promise<ExitCode<CommandOf<'webhooks'>>> {
  const { order, json } = orderOf(args)
  const { lines, told, isRefused } = await answerTo(config, order)
  const out = isRefused && !json ? process.stderr : process.stdout
  out.write(json ? `${printableJson(told, 2)}\n` : lines.map((line) => `${printable(line)}\n`).join(''))
  return isRefused ? 1 : 0
}

async function answerTo(config: Config, order: Order): Promise<OrderAnswer> {
  let so = { found: 0, due: 0 }
  const { tell } = progress(() => `found ${so.found} deliveries, ${so.due} of them are due again`)
  tell()
  return await askData<Order, OrderAnswer>(config, order, {
    path: OPERATOR_PATH,
    carryOut: async (store, asked, now) =>
      await carryOutOrder(store, asked, now, (next) => {
        so = next
        tell()
      }),
  })
}

function orderOf(args: readonly string[]): { readonly order: Order; readonly json: boolean } {
  const { words, values } = parsed(args)
  return { order: orderIn(words, values), json: values.json === true }
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const
  return readWords(args, {
    after: text,
    'all-dead': { type: 'boolean' },
    organization: text,
    endpoint: text,
    from: text,
    to: text,
    json: { type: 'boolean' },
  })
}

function orderIn(words: readonly string[], values: ReturnType<typeof parsed>['values']): Order {
  const [name, ...rest] = words
  if (name === 'backlog' && rest.length === 0) {
    takesOnly(values, [], 'webhooks backlog')
    return { do: 'backlog' }
  }
  if (name === 'dead' && rest.length === 0) {
    takesOnly(values, ['after'], 'webhooks dead')
    return { do: 'dead', after: values.after === undefined ? 0 : number(values.after, '--after') }
  }
  if (name !== 'redeliver') throw new UsageError('one of: backlog, dead, redeliver')
  return redeliveryIn(rest, values)
}

/** One of three orders; beside the options of another one it would deliver more or less than was meant. */
function redeliveryIn(rest: readonly string[], values: ReturnType<typeof parsed>['values']): Order {
  if (rest.length > 0) {
    takesOnly(values, [], 'webhooks redeliver with numbers of dead letters')
    return { do: 'revive', sequences: rest.map((text) => number(text, 'the number of a dead letter')) }
  }
  if (values['all-dead'] === true) {
    takesOnly(values, ['all-dead'], 'webhooks redeliver --all-dead')
    return { do: 'reviveWebhooks' }
  }
  takesOnly(values, ['organization', 'endpoint', 'from', 'to'], 'webhooks redeliver')
  const { organization, endpoint, from, to } = values
  if (organization === undefined || endpoint === undefined || from === undefined || to === undefined)
    throw new UsageError(
      'redeliver takes numbers of dead letters, or --all-dead, or --organization, --endpoint, --from and --to together',
    )
  return {
    do: 'redeliver',
    organizationId: organization,
    target: endpoint,
    from: instant(from, '--from'),
    to: instant(to, '--to'),
  }
}

function number(text: string, what: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${what} is a number, not ${text}`)
  return Number(text)
}
