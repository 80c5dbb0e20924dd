// How long each dear request holds the vault's thread: the longest that a call of nothing had to wait beside it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnVault } from '../src/host/link/spawn-vault.ts'
import { openSqlite } from '../src/host/store/sqlite/sqlite.ts'
import { newRootKeyFile } from '../src/trusted/vault/keys/root-key.ts'
import { dearService } from '../test/cost/dear-service.ts'

const ROUNDS = 5

const folder = mkdtempSync(join(tmpdir(), 'claviger-dear-'))
const rootKeyPath = join(folder, 'root.key')
// The root key of the service that the requests are recorded at.
writeFileSync(rootKeyPath, await newRootKeyFile((length) => new Uint8Array(length).fill(9)), { mode: 0o600 })
const store = openSqlite({ path: ':memory:' })
const link = spawnVault({ rootKeyPath })
await link.ready
const { requests } = await dearService(store, Date.now())
for (const { name, make } of requests) {
  const { status, calls } = await make()
  const last = calls.toSorted((a, b) => a.cost - b.cost).at(-1)
  if (last === undefined) {
    process.stdout.write(`${name.padEnd(62)} ${status} never reaches the vault\n`)
    continue
  }
  // The service's own vault knew the charter already; this one is shown it.
  const input = { ...last.input, charters: await wholeCharters(last.input.charters) }
  const answered = await link.vault[last.method](input as never)
  if (answered.kind === 'needs') throw new Error(`${name}: the vault asks for more than it was brought`)
  const rounds: { held: number; took: number }[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push(await heldBy(() => link.vault[last.method](input as never)))
  const held = Math.min(...rounds.map((item) => item.held))
  const took = Math.min(...rounds.map((item) => item.took))
  process.stdout.write(
    `${name.padEnd(62)} ${status} holds ${held.toFixed(0).padStart(5)} ms, takes ${took.toFixed(0).padStart(5)} ms, costs ${String(last.cost).padStart(8)}\n`,
  )
}
void link.end()
await store.close()
rmSync(folder, { recursive: true })

async function wholeCharters(offered: readonly { readonly organizationId: string }[]) {
  return await Promise.all(offered.map(({ organizationId }) => store.charter(organizationId)))
}

/** The longest wait of a call that does nothing, sent again as soon as it is answered. */
async function heldBy(
  run: () => Promise<unknown>,
): Promise<{ readonly held: number; readonly took: number }> {
  let isUnderWay = true
  let held = 0
  const watch = async (): Promise<void> => {
    while (isUnderWay) {
      const before = performance.now()
      await link.vault.serviceKeys()
      held = Math.max(held, performance.now() - before)
    }
  }
  const before = performance.now()
  const watching = watch()
  await run()
  const took = performance.now() - before
  isUnderWay = false
  await watching
  return { held, took }
}
