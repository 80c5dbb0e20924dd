import { FairTurns } from '../base/fair-turns.ts'
import type { Unit } from '../catalogue/unit.ts'
import { checkUnit } from './check-unit.ts'
import { groupCommit } from './group-commit.ts'
import {
  type Connections,
  connectPostgres,
  explained,
  isRefusal,
  type PostgresOptions,
} from './postgres-connection.ts'
import { postgresErrands } from './postgres-errands.ts'
import { postgresReads } from './postgres-reads.ts'
import { fitsBatch, recordWriter } from './postgres-records.ts'
import { writeUnit } from './postgres-unit.ts'
import { type RecordOnly, recordOnly } from './record-only.ts'
import { shareOf } from './share.ts'
import type { CommitResult, Store } from './store.ts'
import { StoreError } from './store-error.ts'

/**
 * The store on PostgreSQL, which any number of hosts share: what makes a unit exact is in the database, nothing here.
 *
 * Records, which signing makes, go many to a statement. Every other unit has a transaction of its own, several at a time;
 * PostgreSQL lets those that commit together share a sync.
 *
 * @throws StoreError `unavailable`, `notDurable` or `foreign`
 */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const connections = await connectPostgres(options)
  const records = groupCommit<Unit, CommitResult>(batchWriter(connections))
  const transactions = new FairTurns(TRANSACTIONS_UNDER_WAY_MAX)
  const underWay = new Set<Promise<unknown>>()
  let closed = false

  const tracked = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (closed) throw new StoreError('closed', 'the store is closed')
    const result = inOurWords(work)
    underWay.add(result)
    try {
      return await result
    } finally {
      underWay.delete(result)
    }
  }

  // Each takes one connection, and its tenant is charged for what it writes.
  const inTurn = (unit: Unit, job: () => Promise<CommitResult>): Promise<CommitResult> => {
    const { flow, cost } = shareOf(unit)
    return transactions.run({ flow, cost: 1 }, job, () => cost)
  }

  return {
    engine: 'postgres',
    commit: async (unit) => {
      checkUnit(unit)
      if (closed) throw new StoreError('closed', 'the store is closed')
      return await (asRecord(unit) === undefined
        ? tracked(() => inTurn(unit, () => writeUnit(connections.shared, unit)))
        : records.commit(unit, shareOf(unit)))
    },
    ...postgresReads(connections.shared),
    ...postgresErrands(connections.shared, tracked),
    close: async () => {
      if (closed) return
      closed = true
      await Promise.allSettled([records.close(), ...underWay])
      await Promise.all([connections.shared.end(), connections.records.end()])
    },
  }
}

/** As many as there are connections for them: what waits then waits for its turn, and not in the pool, which is not fair. */
const TRANSACTIONS_UNDER_WAY_MAX = 8

// Whatever the batch passed over is looked at by itself, which tells what it conflicts with. So is every unit of a batch
// that PostgreSQL refused as a whole, so that one of them cannot spoil the others.
function batchWriter({
  shared,
  records,
}: Connections): (units: readonly Unit[]) => Promise<readonly CommitResult[]> {
  const writeRecords = recordWriter(records)

  const writeTogether = async (units: readonly Unit[]): Promise<readonly boolean[]> => {
    try {
      return await writeRecords(units.map(asRecord).filter((record) => record !== undefined))
    } catch (error) {
      if (isRefusal(error)) return []
      throw explained(error)
    }
  }

  return async (units) => {
    const written = await writeTogether(units)
    return await Promise.all(
      units.map((unit, at) =>
        written[at] === true ? ({ kind: 'committed' } as const) : inOurWords(() => writeUnit(shared, unit)),
      ),
    )
  }
}

async function inOurWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw explained(error)
  }
}

function asRecord(unit: Unit): RecordOnly | undefined {
  const record = recordOnly(unit)
  return record !== undefined && fitsBatch(record) ? record : undefined
}
