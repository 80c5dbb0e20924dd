import type { Config } from '../../app/config.ts'
import { callerFrom } from '../caller.ts'
import { beginRecovery } from './organization/begin.ts'
import { completeRecovery } from './organization/complete.ts'
import { createSet } from './organization/create-set.ts'
import { rehearseSet } from './organization/rehearse-set.ts'
import { stopRecovery } from './organization/stop.ts'
import type { CommandOf, ExitCode } from '../exit-codes.ts'

export const ORGANIZATION_OPTIONS = {
  organization: { type: 'string' },
  'delay-hours': { type: 'string' },
  set: { type: 'string' },
  user: { type: 'string', multiple: true },
  attempt: { type: 'string' },
  url: { type: 'string' },
  as: { type: 'string' },
} as const

type Values = {
  readonly [name in 'organization' | 'delay-hours' | 'set' | 'attempt' | 'url' | 'as']?: string | undefined
} & {
  readonly [name in 'threshold' | 'shares' | 'out']?: string | undefined
} & { readonly user?: readonly string[] | undefined; readonly json?: boolean | undefined }

/** The commands about one organization; undefined if these words and options are about the root key. */
export function ofOrganization(
  config: Config,
  name: string | undefined,
  values: Values,
  takes: (...options: readonly string[]) => boolean,
): (() => Promise<ExitCode<CommandOf<'recovery'>>>) | undefined {
  const { threshold = '', shares = '', out: folder = '', organization, set: path, attempt, url } = values
  const out = { isJson: values.json === true }
  const caller = () => callerFrom(values.as, process.env)
  if (
    name === 'create' &&
    organization !== undefined &&
    takes('organization', 'threshold', 'shares', 'out', 'delay-hours', 'as') &&
    [threshold, shares, folder].every((text) => text !== '')
  ) {
    const wanted = { threshold, shares, out: folder, delayHours: values['delay-hours'] }
    return async () => await createSet({ ...caller(), organizationId: organization }, wanted, out)
  }
  if (name === 'rehearse' && path !== undefined && takes('set', 'as'))
    return async () =>
      await rehearseSet(config, { path, caller: values.as === undefined ? undefined : caller() }, out)
  if (name === 'begin' && path !== undefined && takes('set', 'user', 'url'))
    return async () => await beginRecovery(config, { path, url, users: values.user ?? [] }, out)
  if (name === 'complete' && path !== undefined && attempt !== undefined && takes('set', 'attempt', 'url'))
    return async () => await completeRecovery(config, { path, url, attemptId: attempt }, out)
  if (name === 'stop' && takes('as')) return async () => await stopRecovery(caller(), out)
  return undefined
}

export const ORGANIZATION_USAGE =
  'for an organization: create --organization ID --threshold K --shares N --out FOLDER [--delay-hours 72], ' +
  'rehearse --set FILE, begin --set FILE --user NAME=PUBLIC_KEY…, complete --set FILE --attempt ID, stop'
