import type { Config } from '../app/config.ts'
import { QUOTA_PATH } from '../http/operator-routes.ts'
import {
  carryOutQuotas,
  type QuotaAnswer,
  type QuotaChange,
  type QuotaOrder,
} from '../quotas/quota-orders.ts'
import { type Drift, isDaily, QUOTAS, type QuotaName } from '../store/quotas/quota.ts'
import { EVERY_ORGANIZATION } from '../store/quotas/settings.ts'
import { readWords } from './arguments.ts'
import { askData } from './ask-data.ts'
import { progress } from './progress.ts'
import { quotaLines, type QuotaTold } from './quota/quota-lines.ts'
import { signUpNotes } from './quota/sign-up-notes.ts'
import { say, sayJson, sayProgress } from './root-key/say.ts'
import { UsageError } from './usage.ts'
import type { CommandOf, ExitCode } from './exit-codes.ts'
import { CommandError } from './command-error.ts'

/**
 * `claviger quota`: the quotas of organizations and their use; also beside the service. It needs no root key.
 *
 * @returns 1 if the order was refused, and if a recount found a count that had drifted
 */
export async function quota(config: Config, args: readonly string[]): Promise<ExitCode<CommandOf<'quota'>>> {
  const { words, values } = parsed(args)
  const order = orderOf(words, values)
  const answer = await answerTo(config, order)
  const out = { isJson: values.json === true }
  sayJson(out, answer)
  say(out, quotaLines(answer))
  signUpNotes(config.authProxy, order).forEach(sayProgress)
  return answer.kind === 'recounted' && answer.drifts.length > 0 ? 1 : 0
}

/** A recount of all organizations goes page by page. */
async function answerTo(config: Config, order: QuotaOrder): Promise<QuotaTold> {
  let organizations = 0
  const drifts: Drift[] = []
  const { tell } = progress(
    () => `recounted ${organizations} organizations, ${drifts.length} counts were wrong`,
  )
  for (let next = order; ; ) {
    tell()
    const answer = await askData<QuotaOrder, QuotaAnswer>(config, next, {
      path: QUOTA_PATH,
      carryOut: carryOutQuotas,
    })
    if (answer.kind === 'refused') throw new CommandError(answer.because)
    if (answer.kind !== 'recounted') return answer
    organizations += answer.organizations
    drifts.push(...answer.drifts)
    if (answer.next === null) return { kind: 'recounted', organizations, drifts }
    next = { do: 'recount', after: answer.next }
  }
}

type Values = ReturnType<typeof parsed>['values']

function orderOf([name, organizationId, ...rest]: readonly string[], values: Values): QuotaOrder {
  const wanted = changeOf(values)
  const isBare = Object.keys(wanted).length === 0 && values.default !== true
  if (rest.length > 0) throw usage()
  if (name === 'set') {
    if (Object.keys(wanted).length === 0) throw usage()
    return { do: 'set', subject: subjectOf(organizationId, values), change: wanted }
  }
  if (name === 'remove' && Object.keys(wanted).length === 0)
    return { do: 'remove', subject: subjectOf(organizationId, values) }
  if (name === 'list' && organizationId === undefined && isBare) return { do: 'list' }
  if (name === 'near' && organizationId === undefined && isBare) return { do: 'near' }
  if (name === 'show' && organizationId !== undefined && isBare) return { do: 'show', organizationId }
  if (name === 'recount' && isBare)
    return { do: 'recount', ...(organizationId === undefined ? {} : { organizationId }) }
  throw usage()
}

function subjectOf(organizationId: string | undefined, values: Values): string {
  if ((values.default === true) === (organizationId !== undefined)) throw usage()
  return organizationId ?? EVERY_ORGANIZATION
}

function usage(): UsageError {
  return new UsageError(
    'one of: set ORGANIZATION or --default with at least one of --requests, --cost, --messages, --sub-organization-messages, --objects, --sub-organizations and --stored-bytes; list; near; show ORGANIZATION; remove ORGANIZATION or --default; recount [ORGANIZATION]',
  )
}

const OPTIONS = {
  requests: 'requests',
  cost: 'cost',
  messages: 'messages',
  subOrganizationMessages: 'sub-organization-messages',
  objects: 'objects',
  subOrganizations: 'sub-organizations',
  storedBytes: 'stored-bytes',
} as const satisfies Record<QuotaName, string>

function changeOf(values: Values): QuotaChange {
  return Object.fromEntries(
    QUOTAS.flatMap((name) => {
      const text = values[OPTIONS[name]]
      return text === undefined ? [] : [[name, amountOf(name, text)]]
    }),
  )
}

/** `none` removes a quota. */
function amountOf(name: QuotaName, text: string): number | null {
  if (text === 'none') return null
  const [, digits, per] = /^(\d{1,15})(\/day)?$/.exec(text) ?? []
  if (digits === undefined || (per !== undefined && !isDaily(name)))
    throw new UsageError(
      `--${OPTIONS[name]} is a number${isDaily(name) ? ', which may end in /day' : ''}, or none; not ${text}`,
    )
  return Number(digits)
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const
  return readWords(args, {
    json: { type: 'boolean' },
    default: { type: 'boolean' },
    requests: text,
    cost: text,
    messages: text,
    'sub-organization-messages': text,
    objects: text,
    'sub-organizations': text,
    'stored-bytes': text,
  })
}
