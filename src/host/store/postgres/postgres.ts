import type pg from 'pg'
import { endOf } from '../../../trusted/base/end-of.ts'
import { present } from '../../../trusted/base/assert.ts'
import { FairTurns } from '../../../trusted/base/fair-turns.ts'
import { keyedMutex, mutexes } from '../../../trusted/base/keyed-mutex.ts'
import type { Unit } from '../../../trusted/catalogue/unit.ts'
import { asAsked } from '../as-asked.ts'
import { checkUnit } from '../check-unit.ts'
import { groupCommit } from '../group-commit.ts'
import { type Connections, connectPostgres, type PostgresOptions } from './connection.ts'
import { postgresDefaults } from './defaults.ts'
import { postgresJobs } from './jobs.ts'
import { isRefusal } from './errors.ts'
import { isStoreOutage } from '../outage.ts'
import { postgresReads } from './reads.ts'
import { postgresReseal } from './reseal.ts'
import { checkSeals } from '../resealing.ts'
import { postgresScan } from './scan.ts'
import { compactRecords } from './record-texts.ts'
import { fitsBatch, recordWriter } from './records.ts'
import type { Statement } from './pool.ts'
import { isReadHere } from './read-here.ts'
import { type SchemaWatch, watchSchema } from './schema-watch.ts'
import { type UnitMeans, writeUnit } from './unit.ts'
import { withoutWarning } from './without-warning.ts'
import { accountOf } from '../quotas/account.ts'
import { countedRecordWriter } from '../quotas/postgres-counted-records.ts'
import { postgresQuotaStore } from '../quotas/postgres-quota-store.ts'
import { KnownQuotas } from '../quotas/postgres-quotas.ts'
import type { ChargedUnit } from '../quotas/quota.ts'
import { type RecordOnly, recordOnly } from '../record-only.ts'
import { shareOf } from '../commit-share.ts'
import type { CommitResult, Store } from '../store.ts'
import { StoreError } from '../store-error.ts'

/**
 * The store on PostgreSQL, which any number of hosts share: the database alone makes units exact, and not this process.
 *
 * Records, which signing makes, are written many to a statement. Every other unit has a transaction of its own, several
 * at a time; PostgreSQL lets those that commit at the same time share a sync.
 *
 * @throws StoreError `unavailable`, `notDurable` or `foreign`
 */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const connections = await connectPostgres(options)
  const watch = watchSchema(connections.vital, connections.check, options.watchMs ?? WATCH_MS)
  const quotas = new KnownQuotas(connections.units, connections.timeline)
  const means = { ...connections, quotas }
  const transactions = new FairTurns(options.connectionsMax ?? postgresDefaults.connectionsMax)
  const underWay = new Set<Promise<void>>()
  let alone = 0
  const reads = postgresReads(connections, watch.asStoreError)
  let closed = false

  const checkOpen = (): void => {
    if (closed) throw new StoreError('closed', 'the store is closed')
    const refusal = watch.refusal()
    if (refusal !== undefined) throw refusal
  }

  const waitedFor = async <Result>(result: Promise<Result>): Promise<Result> => {
    const ended = endOf(result)
    underWay.add(ended)
    try {
      return await result
    } finally {
      underWay.delete(ended)
    }
  }
  const tracked = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    checkOpen()
    return await waitedFor(inOurWords(watch, work))
  }

  // At most as many units at once as there are connections for them: further units wait for their turn here, and not in
  // the pool, which is not fair. Each takes one connection, and its tenant is charged for the written rows.
  const inTurn = (unit: Unit, job: () => Promise<CommitResult>): Promise<CommitResult> => {
    const { flow, cost } = shareOf(unit)
    return transactions.run({ flow, cost: 1 }, job, () => cost)
  }

  // Units that guard the same object may each depend on the previous one.
  const mutex = keyedMutex()
  const inOrder = async <T>(unit: ChargedUnit, job: () => Promise<T>): Promise<T> => {
    const guarded = unit.objectGuards.map(
      ({ organizationId, kind, objectId }) => `${organizationId} ${kind} ${objectId}`,
    )
    // Units that count for one organization wait for each other in the database, and would each occupy a connection.
    const counting = [...(accountOf(quotas.current, unit)?.organizations.keys() ?? [])].map(
      (id) => `quotas of ${id}`,
    )
    return await mutexes(mutex, [...guarded, ...counting].toSorted(), job)
  }

  // Their units were accepted, and are written also when the store is being closed.
  const records = groupCommit<ChargedUnit, CommitResult>(
    batchWriter(means, watch, (unit, job) => waitedFor(inOrder(unit, () => inTurn(unit, job)))),
  )
  const counted = groupCommit<ChargedUnit, CommitResult>(countedWriter(means, watch))

  const write = async (unit: ChargedUnit): Promise<CommitResult> => {
    if (asRecord(unit) === undefined) {
      alone += 1
      return await tracked(() => inOrder(unit, () => inTurn(unit, () => writeUnit(means, unit))))
    }
    const group = accountOf(quotas.current, unit) === undefined ? records : counted
    return await group.commit(unit, shareOf(unit))
  }

  // Calls that arrive while one is under way share the next.
  const confirmations = groupCommit<undefined, undefined>(async (asked) => {
    await inOurWords(watch, async () => {
      await connections.vital.write(CONFIRM)
    })
    return [...asked]
  })

  const jobs = postgresJobs(connections, tracked)
  const resealing = postgresReseal(connections, tracked)
  return {
    engine: 'postgres',
    commit: async (unit) => {
      checkUnit(unit)
      checkOpen()
      return await write(unit)
    },
    ...reads,
    ...jobs,
    ...asAsked({ ...reads, ...jobs }),
    note: async (name) => {
      checkOpen()
      return await reads.note(name)
    },
    confirmer: () => {
      const timeline = connections.timeline()
      return async () => {
        checkOpen()
        await confirmations.commit(undefined)
        // Knowledge about the previous server may no longer hold.
        if (connections.timeline() !== timeline)
          throw new StoreError('unavailable', 'another server of PostgreSQL has become the primary meanwhile')
      }
    },
    server: connections.timeline,
    probe: async () => {
      // Readiness depends on the present tables.
      await watch.look()
      checkOpen()
      await reads.probe()
    },
    ...resealing,
    quotas: postgresQuotaStore(connections.units, quotas, tracked),
    reseal: async (seals) => {
      checkSeals(seals)
      return await resealing.reseal(seals)
    },
    scan: postgresScan((statement) => tracked(() => connections.lists.read(statement)), {
      charactersMax: SCANNED_CHARACTERS_MAX,
      texts: connections.texts,
    }),
    load: () => {
      const [some, others] = [records.tried(), counted.tried()]
      const commits = {
        batches: some.batches + others.batches + alone,
        units: some.units + others.units + alone,
      }
      return { commits, pools: connections.load() }
    },
    close: async () => {
      if (closed) return
      closed = true
      watch.stop()
      await Promise.allSettled([records.close(), counted.close(), confirmations.close()])
      // The last batch may have left units to be written alone.
      await Promise.all(underWay)
      await connections.end()
    },
  }
}

type WriteTogether = (
  units: readonly ChargedUnit[],
) => Promise<readonly (CommitResult | Promise<CommitResult>)[]>

/** Does the work of a unit that is written alone, in the turn of its tenant. */
type InTurn = (unit: ChargedUnit, job: () => Promise<CommitResult>) => Promise<CommitResult>

// A unit that the batch skipped is tried alone, which shows its conflict. The same is done with every unit of a batch
// that PostgreSQL refused as a whole, so that one unit cannot spoil the others. They take turns with the units that
// have a transaction of their own, and the next batch does not wait for them: a tenant that amends its charter while it
// signs has many of them.
function batchWriter(
  means: UnitMeans & Pick<Connections, 'records'>,
  watch: SchemaWatch,
  inTurn: InTurn,
): WriteTogether {
  const { records, texts, quotas } = means
  const heard = new Set<string>()

  const asStored = async (units: readonly Unit[], client: pg.ClientBase): Promise<readonly RecordOnly[]> => {
    const whole = units.map(asRecord).filter((record) => record !== undefined)
    const rows = await compactRecords(
      texts,
      whole.map(({ row }) => row),
      client,
    )
    return whole.map((record, at) => ({ ...record, row: rows[at] ?? record.row }))
  }

  const writeTogether = async (units: readonly ChargedUnit[]): Promise<readonly boolean[]> => {
    const settings = quotas.current
    // Quotas may have been set since the unit was put into this batch.
    if (units.some((unit) => accountOf(settings, unit) !== undefined)) return []
    try {
      return await records.lend(async (client) => {
        if (!units.every((unit) => isReadHere(unit, means))) return []
        const write = <Row extends pg.QueryResultRow>(statement: Statement) =>
          withoutWarning(client, () => client.query<Row>(statement))
        return await recordWriter({ write }, heard)(await asStored(units, client), settings.version)
      })
    } catch (error) {
      if (isRefusal(error)) return []
      throw await watch.asStoreError(error)
    }
  }

  return async (units) => {
    const written = await writeTogether(units)
    const writeAlone = untilOutage((unit) => inOurWords(watch, () => writeUnit(means, unit)))
    return units.map((unit, at) =>
      written[at] === true ? ({ kind: 'committed' } as const) : inTurn(unit, () => writeAlone(unit)),
    )
  }
}

/** After an outage nothing more is tried: each of the units that are left would wait for it again. */
function untilOutage(write: (unit: ChargedUnit) => Promise<CommitResult>): typeof write {
  let outage: unknown
  return async (unit) => {
    if (outage !== undefined) throw outage
    try {
      return await write(unit)
    } catch (error) {
      if (isStoreOutage(error)) outage = error
      throw error
    }
  }
}

// Units that cannot be written with the others are separated. A tenant with an exhausted quota, or with repeated
// requests, submits as often as any other, and must not force single writes for whole batches.
function countedWriter(means: UnitMeans, watch: SchemaWatch): WriteTogether {
  const writeCounted = countedRecordWriter(means, means.quotas)

  /** @returns undefined if PostgreSQL refuses them together */
  const writeTogether = async (units: readonly ChargedUnit[]) => {
    try {
      return await writeCounted(units.flatMap((unit) => recordsOf(unit)))
    } catch (error) {
      if (isRefusal(error)) return undefined
      throw await watch.asStoreError(error)
    }
  }
  // A unit alone shows its conflict, or the quota that it would exceed.
  const writeAlone = async (unit: ChargedUnit): Promise<CommitResult> =>
    await inOurWords(watch, () => writeUnit(means, unit))

  return async (units) => {
    const results = new Map<ChargedUnit, CommitResult | Promise<CommitResult>>()
    const over = new Map<ChargedUnit, CommitResult>()
    let left = units
    for (let times = 0; left.length > 0 && times < TOGETHER_TIMES; times++) {
      const written = await writeTogether(left)
      if (written === undefined) break
      if (written.kind === 'committed') {
        for (const unit of left) results.set(unit, written)
        left = []
        break
      }
      // A unit that would exceed a quota beside a conflicting one may fit without that one.
      if (written.conflicting.length > 0) over.clear()
      for (const { unit, exhausted } of written.over) over.set(unit, { kind: 'exhausted', exhausted })
      const apart = new Set([...written.conflicting, ...over.keys()])
      left = left.filter((unit) => !apart.has(unit))
    }
    // A unit that was refused because others had taken the rest is refused again after they have.
    if (left.length === 0) for (const [unit, exhausted] of over) results.set(unit, exhausted)
    for (const unit of units)
      if (!results.has(unit)) {
        const alone = writeAlone(unit)
        results.set(unit, alone)
        // A refusal is the result of its unit. An outage ends the batch: each of the others would wait for it again.
        await alone.catch((error: unknown) => {
          if (error instanceof StoreError) throw error
        })
      }
    return units.map((unit) => present(results.get(unit), 'what became of each'))
  }
}

/** Some units conflict, some of the others would exceed a quota, and the remaining ones are written together. */
const TOGETHER_TIMES = 3

function recordsOf(unit: ChargedUnit): Parameters<ReturnType<typeof countedRecordWriter>>[0] {
  const record = asRecord(unit)
  return record === undefined ? [] : [{ unit, record }]
}

const WATCH_MS = 5_000

/**
 * Makes a commit, which waits for the standby if one confirms; everything visible before it is then durable as well.
 */
const CONFIRM = {
  name: 'confirm',
  text: `SELECT CASE WHEN current_setting('synchronous_standby_names') <> ''
    THEN pg_logical_emit_message(true, 'claviger', '') END AS confirmed`,
}

/** The maximum of characters in a page of a scan, without its last row. */
const SCANNED_CHARACTERS_MAX = 1024 * 1024

async function inOurWords<Result>(watch: SchemaWatch, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw await watch.asStoreError(error)
  }
}

function asRecord(unit: Unit): RecordOnly | undefined {
  const record = recordOnly(unit)
  return record !== undefined && fitsBatch(record) ? record : undefined
}
