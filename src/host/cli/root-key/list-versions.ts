import type { Config } from '../../app/config.ts'
import { placeShown } from '../../rotation/pass.ts'
import type { Resealing } from '../../rotation/resealing-note.ts'
import { printable } from '../policies/printable.ts'
import { openRootKeyFile, sealNames } from '../root-key-file.ts'
import { lacking } from './add-version.ts'
import { askRotation } from './ask-rotation.ts'
import { type Out, say, sayJson } from './say.ts'
import { keyringOf, newestOf, otherKeys } from './versions-of-hosts.ts'
import type { ExitCode } from '../exit-codes.ts'

/** The versions in the file and at each running host, and the progress of resealing. */
export async function listVersions(config: Config, out: Out): Promise<ExitCode<'root-key list'>> {
  const { keys, protection } = await openRootKeyFile(config)
  const shown = keyringOf(keys).shown()
  const state = await askRotation(config, { do: 'state' })
  const encrypted = protection.kind !== 'clear'
  const sealedBy = sealNames(protection)
  const service = keys.service.map(({ purpose, version, state: is }) => ({ purpose, version, state: is }))
  const problems = [...otherKeys(state.hosts, shown), ...lacking(state.sealedUnder ?? 0, newestOf(shown))]
  sayJson(out, {
    file: { path: config.rootKeyPath, encrypted, sealedBy, ...shown, service },
    ...state,
    problems,
  })
  say(out, [
    `root key file ${config.rootKeyPath}${sealedBy.length > 0 ? `, sealed by ${sealedBy.join(', ')}` : encrypted ? ', encrypted' : ''}`,
    ...shown.versions.map(
      ({ version, id }) => `  version ${version}  ${id}${version === shown.seals ? '  seals' : ''}`,
    ),
    state.hosts.length === 0 ? 'no host runs' : 'hosts',
    ...state.hosts.map(({ name, id, seals, versions, trouble }) => {
      const held = versions.map(({ version }) => version).join(', ')
      const wrong = trouble === undefined ? '' : `; its file was not accepted: ${trouble}`
      return `  ${name} (${id})  holds ${held}; seals under ${seals}${wrong}`
    }),
    `the data was proven under version ${state.provenUnder ?? 'none'} last`,
    ...(state.archives ?? []).map(
      ({ version, files }) => `archives that open with version ${version} alone: ${files}`,
    ),
    ...(state.resealing === null ? ['no resealing was ordered'] : resealingLines(state.resealing)),
    ...problems.map((problem) => `!!  ${problem}`),
  ])
  return problems.length === 0 ? 0 : 1
}

export function resealingLines({ state, count, last, resealed, troubles }: Resealing): readonly string[] {
  const shown = count ?? last
  const found = (shown?.found ?? []).map(({ version, rows }) => `, ${rows} under version ${version}`).join('')
  const rows = shown === null ? '' : `: ${shown.rows} rows looked at${found}`
  const at = count === null || state !== 'running' ? '' : `, at ${placeShown(count)}`
  return [
    `resealing is ${state}${at}${rows}; ${resealed} resealed`,
    ...troubles.map((trouble) => `!!  ${printable(trouble)}`),
  ]
}
