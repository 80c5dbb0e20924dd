import type { RootProof, Vault } from '../../protocol/vault.ts'
import { isPlain, tagged, text, textLike } from '../../trusted/base/plain.ts'
import type { Ms } from '../../trusted/base/world.ts'
import { rootVersionOf } from '../../trusted/vault/keys/seal-text.ts'
import type { Store } from '../store/store.ts'
import { announcedHosts, type HostShown, silentHosts } from './hosts.ts'
import { orderResealing, readResealing, type Resealing } from './resealing-note.ts'
import { sealedVersion } from './sealed-version-note.ts'
import { noteRecovery, type RecoveryNoted, recoveryNoted } from './recovery-notes.ts'
import { notedArchives } from '../copies/noted-archives.ts'
import { ROOT_PROOF_NOTE } from '../copies/root-proof-note.ts'

/** The orders of `claviger root-key`, carried out on the data itself or by the service that holds it. */
export type RotationOrder =
  | { readonly do: 'state' }
  | { readonly do: 'reseal'; readonly order: string }
  /** Notes a use of the shares of a recovery. */
  | ({ readonly do: 'note' } & RootProof)

export type RotationState = {
  /** The running hosts. */
  readonly hosts: readonly HostShown[]
  /** Hosts that were killed, or whose clock is behind; absent from an older host. */
  readonly silent?: readonly HostShown[]
  readonly resealing: Resealing | null
  /** The version of the last proof of the data. */
  readonly provenUnder: number | null
  /** The highest version under which a host has sealed, 0 if none has noted it; absent from an older host. */
  readonly sealedUnder?: number
  /** The number of archives that open with only one version, by version; absent from an older host. */
  readonly archives?: readonly ArchivesUnder[]
  /** The uses of the shares of a recovery, if a vault could verify them. */
  readonly recovery?: RecoveryNoted
}

type ArchivesUnder = { readonly version: number; readonly files: number }

const rotationOrder = tagged('do', {
  state: {},
  reseal: { order: textLike(/^[0-9a-f]{32}$/, '32 hex digits') },
  note: { challenge: text(1_000), proof: text(1_000) },
})

/** An order from outside; undefined if the text is not an order. */
export function readRotationOrder(given: unknown): RotationOrder | undefined {
  return isPlain(rotationOrder, given) ? given : undefined
}

/**
 * @param self   the asked host, if it does not announce itself to others
 * @param vault  present if a service is asked
 */
export async function carryOutRotation(
  store: Store,
  order: RotationOrder,
  {
    now,
    self,
    vault,
  }: {
    readonly now: Ms
    readonly self?: HostShown | undefined
    readonly vault?: Pick<Vault, 'checkRootProof'>
  },
): Promise<RotationState> {
  if (order.do === 'reseal') await orderResealing(store, order.order, now)
  // A store without an organization waits for the restore of a backup, so it has to stay empty.
  if (order.do === 'note' && !(await store.isEmpty())) await noteRecovery(store, order)
  const hosts = await announcedHosts(store, now)
  const others = hosts.filter(({ id }) => id !== self?.id)
  const proof = (await store.note(ROOT_PROOF_NOTE))?.split(' ')[1]
  return {
    hosts: self === undefined ? others : [self, ...others],
    silent: await silentHosts(store, now),
    resealing: (await readResealing(store))?.standing ?? null,
    provenUnder: rootVersionOf(proof ?? '') ?? null,
    sealedUnder: await sealedVersion(store),
    archives: await archivesUnder(store),
    ...(vault === undefined ? {} : { recovery: await recoveryNoted(store, vault) }),
  }
}

async function archivesUnder(store: Pick<Store, 'scan'>): Promise<readonly ArchivesUnder[]> {
  const files = new Map<number, number>()
  for (const { rootVersion } of await notedArchives(store))
    files.set(rootVersion, (files.get(rootVersion) ?? 0) + 1)
  return [...files].map(([version, count]) => ({ version, files: count }))
}
