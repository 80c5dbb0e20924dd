import { writeSync } from 'node:fs'
import { aRecord, aSignature } from './fixtures.ts'
import { openPostgres } from '../postgres/postgres.ts'
import { openSqlite } from '../sqlite/sqlite.ts'

// Run by the tests as a process of its own, to be killed: node crash-writer.ts <engine> <path or address> <first
// number> Keeps 50 signatures in flight and prints the number of each one that was acknowledged.
const [engine, address = '', first] = process.argv.slice(2)
const store = engine === 'sqlite' ? openSqlite({ path: address }) : await openPostgres({ url: address })
let next = Number(first)

for (let orderingKey = 0; orderingKey < 50; orderingKey++) void writeForever()

async function writeForever(): Promise<never> {
  for (;;) {
    const n = next++
    const result = await store.commit(aRecord(aSignature(n)))
    if (result.kind === 'committed') writeSync(1, `${n}\n`)
  }
}
