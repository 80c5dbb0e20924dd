import type { Config } from '../app/config.ts'
import { createRecovery } from './recovery/create.ts'
import { ofOrganization, ORGANIZATION_OPTIONS, ORGANIZATION_USAGE } from './recovery/of-organization.ts'
import { rehearseRecovery } from './recovery/rehearse.ts'
import { useRecovery } from './recovery/use.ts'
import { readSeal } from './root-key/new-seals.ts'
import { readWords } from './arguments.ts'
import { UsageError } from './usage.ts'
import type { CommandOf, ExitCode } from './exit-codes.ts'

/**
 * `claviger recovery`: shares for an emergency, in which no seal opens the root key file any more, or no user can act
 * for an organization.
 */
export async function recovery(
  config: Config,
  args: readonly string[],
): Promise<ExitCode<CommandOf<'recovery'>>> {
  const { words, values } = readWords(args, {
    threshold: { type: 'string' },
    shares: { type: 'string' },
    out: { type: 'string' },
    from: { type: 'string' },
    seal: { type: 'string', multiple: true },
    ...ORGANIZATION_OPTIONS,
    json: { type: 'boolean' },
  })
  const [name, ...rest] = words
  const { threshold = '', shares = '', out: folder = '', from, seal = [], json = false } = values
  const given = Object.keys(values).filter((option) => option !== 'json')
  const takes = (...options: readonly string[]): boolean =>
    rest.length === 0 && given.every((option) => options.includes(option))
  const isWhole = [threshold, shares, folder].every((text) => text !== '')
  const organization = ofOrganization(config, name, values, takes)
  if (organization !== undefined) return await organization()
  const out = { isJson: json }
  if (name === 'create' && takes('threshold', 'shares', 'out', 'seal') && isWhole)
    return await createRecovery(config, {
      ...out,
      parameters: { threshold, shares, out: folder },
      seals: seal.map(readSeal),
    })
  if (name === 'rehearse' && takes('from')) return await rehearseRecovery(config, { ...out, copy: from })
  if (name === 'use' && takes('from', 'seal'))
    return await useRecovery(config, { ...out, copy: from, seals: seal.map(readSeal) })
  throw new UsageError(
    'one of: create --threshold K --shares N --out FOLDER [--seal …]…, rehearse [--from COPY], use --seal … [--from COPY]; ' +
      ORGANIZATION_USAGE,
  )
}
