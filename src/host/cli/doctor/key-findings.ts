import type { RootKeysShown } from '../../../protocol/vault.ts'
import { SERVICE_PURPOSES } from '../../../trusted/catalogue/service-purposes.ts'
import type { HostShown } from '../../rotation/hosts.ts'
import { lackedVersion } from '../../rotation/sealed-version-note.ts'
import { printable } from '../policies/printable.ts'
import type { Finding } from './finding.ts'

type Holder = Pick<HostShown, 'name' | 'seals' | 'versions' | 'service' | 'trouble'>

/**
 * The versions in use of the root key and of the service's own keys, and whether all their holders have the same ones.
 *
 * @param held         the keys of the vault that was opened for this check; undefined beside a service that holds the
 *   store
 * @param sealedUnder  the newest version under which rows are sealed, as a note in the store says
 */
export function keyFindings(
  hosts: readonly HostShown[],
  held: RootKeysShown | undefined,
  sealedUnder: number,
): readonly Finding[] {
  const holders: readonly Holder[] =
    held === undefined ? hosts : [{ ...held, name: 'this machine' }, ...hosts]
  const [first, ...others] = holders
  if (first === undefined) return []
  const problems = [
    ...holders.flatMap(({ name, trouble }) =>
      trouble === undefined ? [] : [`${name} did not accept its root key file: ${trouble}`],
    ),
    ...holders.flatMap(({ name, versions }) => {
      const lacked = lackedVersion(sealedUnder, Math.max(...versions.map(({ version }) => version)))
      return lacked === undefined
        ? []
        : [`${name} does not hold version ${lacked} of the root key, under which rows are sealed: ${NEWEST}`]
    }),
    ...others.flatMap((other) =>
      unlike(first, other).map(
        (key) =>
          `${first.name} and ${other.name} do not hold the same ${key}: give both the same root key file`,
      ),
    ),
  ]
  return [
    { mark: 'ok', text: `keys: ${inUse(first)}` },
    ...problems.map((problem): Finding => ({ mark: '!!', text: `keys: ${printable(problem)}` })),
  ]
}

const NEWEST = 'bring the newest root key file'

/**
 * The keys that only one of two has, or that differ. A host of an earlier version does not report the service's own
 * keys.
 */
function unlike(one: Holder, other: Holder): readonly string[] {
  const isWhole = one.service !== undefined && other.service !== undefined
  const [ids, otherIds] = [idsOf(one, isWhole), idsOf(other, isWhole)]
  return [...new Set([...ids.keys(), ...otherIds.keys()])].filter((key) => ids.get(key) !== otherIds.get(key))
}

function idsOf({ versions, service = [] }: Holder, isWhole: boolean): ReadonlyMap<string, string> {
  return new Map([
    ...versions.map(({ version, id }) => [`version ${version} of the root key`, id] as const),
    ...(isWhole ? service : []).map(
      ({ purpose, version, id }) => [`version ${version} of the ${purpose} key`, id] as const,
    ),
  ])
}

function inUse({ seals, versions, service }: Holder): string {
  const held = versions.map(({ version }) => version).join(', ')
  const own = SERVICE_PURPOSES.flatMap((purpose) => {
    const found = (service ?? []).filter((key) => key.purpose === purpose)
    return found.length === 0
      ? []
      : [`${purpose} ${found.map(({ version, state }) => `${version} (${state})`).join(', ')}`]
  })
  return [
    `version ${seals} of the root key seals, of ${held}`,
    ...(own.length === 0 ? [] : [`versions of the service's own: ${own.join('; ')}`]),
  ].join('. ')
}
