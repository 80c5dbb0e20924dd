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
import { postgresReads } from './postgres-reads.ts'
import { RECORD_GUARDS_MAX, writeRecords } from './postgres-records.ts'
import { writeUnit } from './postgres-transaction.ts'
import { type RecordOnly, recordOnly } from './record-only.ts'
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
  const records = groupCommit<Unit, CommitResult>((units) => writeBatch(connections, units))
  const underWay = new Set<Promise<unknown>>()
  let closed = false

  const alone = async (unit: Unit): Promise<CommitResult> => {
    const result = writeAlone(connections, unit)
    underWay.add(result)
    try {
      return await result
    } finally {
      underWay.delete(result)
    }
  }

  return {
    engine: 'postgres',
    commit: async (unit) => {
      checkUnit(unit)
      if (closed) throw new StoreError('closed', 'the store is closed')
      return await (asRecord(unit) === undefined ? alone(unit) : records.commit(unit))
    },
    ...postgresReads(connections.shared),
    close: async () => {
      if (closed) return
      closed = true
      await Promise.allSettled([records.close(), ...underWay])
      await Promise.all([connections.shared.end(), connections.records.end()])
    },
  }
}

// Whatever the batch passed over is looked at by itself, which tells what it conflicts with. So is every unit of a batch
// that PostgreSQL refused as a whole, so that one of them cannot spoil the others.
async function writeBatch(
  connections: Connections,
  units: readonly Unit[],
): Promise<readonly CommitResult[]> {
  const written = await writeTogether(connections, units)
  return await Promise.all(
    units.map((unit, at) =>
      written[at] === true ? ({ kind: 'committed' } as const) : writeAlone(connections, unit),
    ),
  )
}

async function writeTogether(connections: Connections, units: readonly Unit[]): Promise<readonly boolean[]> {
  try {
    return await writeRecords(
      connections.records,
      units.map(asRecord).filter((record) => record !== undefined),
    )
  } catch (error) {
    if (isRefusal(error)) return []
    throw explained(error)
  }
}

async function writeAlone({ shared }: Connections, unit: Unit): Promise<CommitResult> {
  try {
    return await writeUnit(shared, unit)
  } catch (error) {
    throw explained(error)
  }
}

function asRecord(unit: Unit): RecordOnly | undefined {
  return unit.guards.length <= RECORD_GUARDS_MAX ? recordOnly(unit) : undefined
}
