import type { ActivityRow, ObjectRow, Unit } from '../../src/trusted/catalogue/unit.ts'
import type { Charter } from '../../src/trusted/charter/charter.ts'
import type { CommitResult, Store } from '../../src/host/store/store.ts'
import { Recount } from './limits.ts'
import { mayBeCarriedOut, wrongInCharter } from './rules.ts'

/** Sees every unit that is written, in the order in which it is, and says what was wrong with it. */
export type Observer = {
  readonly store: Store
  readonly wrong: readonly string[]
  readonly charters: ReadonlyMap<string, Charter>
  /** By organization: how often its charter was amended by an activity that was carried out. */
  readonly amendments: ReadonlyMap<string, number>
  readonly records: ReadonlyMap<string, ActivityRow>
  /** Keys that are there, by organization and id: the name. */
  readonly keys: ReadonlyMap<string, string>
  /** Wallets that are there, in the same way. */
  readonly wallets: ReadonlyMap<string, string>
  /** Accounts that are there, by organization and id: the address. */
  readonly accounts: ReadonlyMap<string, string>
}

export function observer(store: Store): Observer {
  const wrong: string[] = []
  const charters = new Map<string, Charter>()
  const amendments = new Map<string, number>()
  const records = new Map<string, ActivityRow>()
  const keys = new Map<string, string>()
  const wallets = new Map<string, string>()
  const accounts = new Map<string, string>()
  const recount = new Recount()

  const see = (unit: Unit): void => {
    const row = unit.activity?.row
    if (row !== undefined) seeRecord(row, unit)
    for (const { organizationId, body, version } of unit.charters) {
      // The vault wrote it.
      const charter = JSON.parse(body) as Charter
      const before = charters.get(organizationId)?.version ?? 0
      if (version !== before + 1 || charter.version !== version)
        wrong.push(`charter ${before} of ${organizationId} is followed by ${version}`)
      wrong.push(...wrongInCharter(charter))
      charters.set(organizationId, charter)
    }
    for (const { organizationId, kind, objectId } of unit.objects.remove)
      for (const [name, held] of Object.entries(kinds))
        if (kind === name) held.delete(`${organizationId} ${objectId}`)
    for (const row of unit.objects.put) seeObject(row)
  }

  const kinds = { private_key: keys, wallet: wallets, wallet_account: accounts }

  const seeObject = ({ organizationId, kind, objectId, body }: ObjectRow): void => {
    // An object as the vault sealed it.
    const { privateKeyName, walletName, walletId, address } = JSON.parse(body) as Readonly<
      Record<string, string>
    >
    const id = `${organizationId} ${objectId}`
    const put = (into: Map<string, string>, name = ''): void => {
      const holder = [...into].find(
        ([other, taken]) => other.startsWith(organizationId) && taken === name && other !== id,
      )
      if (holder !== undefined) wrong.push(`two of ${kind} of ${organizationId} are ${name}`)
      into.set(id, name)
    }
    if (kind === 'private_key') put(keys, privateKeyName)
    if (kind === 'wallet') put(wallets, walletName)
    if (kind !== 'wallet_account') return
    put(accounts, address)
    if (!wallets.has(`${organizationId} ${walletId}`)) wrong.push(`${address} is of no wallet`)
  }

  const seeRecord = (row: ActivityRow, unit: Unit): void => {
    const { organizationId, activityId, fingerprint, status } = row
    const earlier = records.get(`${organizationId} ${fingerprint}`)
    if (earlier !== undefined && earlier.activityId !== activityId)
      wrong.push(`${fingerprint} has two records in ${organizationId}`)
    if (earlier !== undefined && earlier.status !== 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
      wrong.push(`${activityId} was ${earlier.status} and is ${status}`)
    if (earlier !== undefined && row.revision !== earlier.revision + 1)
      wrong.push(`a vote on ${activityId} was lost`)
    const charter = charters.get(organizationId)
    if (status === 'ACTIVITY_STATUS_COMPLETED' && (charter === undefined || !mayBeCarriedOut(row, charter)))
      wrong.push(
        `${row.type} ${activityId} was carried out under charter ${charter?.version}, which does not allow it`,
      )
    if (status === 'ACTIVITY_STATUS_COMPLETED' && charter !== undefined)
      wrong.push(...recount.carriedOut(row, charter))
    if (status !== 'ACTIVITY_STATUS_COMPLETED' && unit.charters.length + unit.objects.put.length > 0)
      wrong.push(`${activityId} is ${status} and changes something`)
    if (unit.charters.some((charterRow) => charterRow.organizationId === organizationId))
      amendments.set(organizationId, (amendments.get(organizationId) ?? 0) + 1)
    records.set(`${organizationId} ${fingerprint}`, row)
  }

  const commit = async (unit: Unit): Promise<CommitResult> => {
    const result = await store.commit(unit)
    if (result.kind === 'committed') see(unit)
    return result
  }
  return { store: { ...store, commit }, wrong, charters, amendments, records, keys, wallets, accounts }
}
