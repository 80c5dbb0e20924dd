import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { emptyUnit } from '../../trusted/catalogue/unit.ts'
import type { SettledUnits, Vault } from '../../protocol/vault.ts'
import { serve } from '../../trusted/vault/serve.ts'
import { provingVault } from '../../trusted/vault/testing/proving-vault.ts'
import { writeFrame } from '../../protocol/frames.ts'
import { PROTOCOL_VERSION } from '../../protocol/envelope.ts'
import { connectVault } from './connect-vault.ts'
import { TicketsSince } from './tickets-since.ts'
import { VaultUnavailable } from './vault-link.ts'

/** A vault at a socket, which can be stopped, and started again there as another one. */
async function aService(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-link-'))
  const path = join(folder, 'vault.sock')
  let stop = async (): Promise<void> => {}
  const start = async (vault: Vault): Promise<void> => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      serve(vault, socket)
      socket.on('error', () => undefined)
      socket.write(writeFrame([{ protocol: PROTOCOL_VERSION, ready: { secp256k1: 'libsecp256k1' } }]))
    })
    server.listen(path)
    await once(server, 'listening')
    chmodSync(path, 0o660)
    stop = async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    }
  }
  t.after(async () => {
    await stop()
    rmSync(folder, { recursive: true })
  })
  return { path, folder, start, stop: () => stop() }
}

const saying = (word: string): Vault =>
  provingVault({ proveRoot: async (challenge) => `${word} ${challenge}` })

test('a vault that comes back is asked again only after it was prepared, and meanwhile it is gone', async (t) => {
  const service = await aService(t)
  await service.start(saying('first'))
  const link = connectVault(service.path)
  t.after(link.end)
  const prepared: string[] = []
  const open = Promise.withResolvers<void>()
  link.onReturn(async (vault) => {
    prepared.push(await vault.proveRoot('preparing'))
    await open.promise
  })
  await link.ready
  assert.equal(await link.vault.proveRoot('one'), 'first one')

  await service.stop()
  await service.start(saying('second'))
  while (prepared.length === 0)
    await assert.rejects(
      link.vault.proveRoot('two').finally(() => new Promise((resolve) => setImmediate(resolve))),
      VaultUnavailable,
    )
  assert.deepEqual(prepared, ['second preparing'])
  await assert.rejects(link.vault.proveRoot('two'), VaultUnavailable)
  open.resolve()
  await open.promise
  for (;;) {
    const answer = await link.vault.proveRoot('two').catch(() => undefined)
    if (answer === undefined) continue
    assert.equal(answer, 'second two')
    return
  }
})

test('every unit is told of to the vault that has handed it out, whichever call it was the answer to', async (t) => {
  const service = await aService(t)
  const told: SettledUnits[] = []
  const counting = (ticket: number): Vault => ({
    ...provingVault({ proveRoot: async (challenge) => challenge }),
    establish: async () => ({ organizationId: 'o', userId: 'u', unit: emptyUnit, ticket }),
    heartbeat: async () => ({ kind: 'counted', unit: emptyUnit, ticket: ticket + 1, cost: 0 }),
    settled: (units) => {
      told.push(units)
    },
  })
  await service.start(counting(7))
  const link = connectVault(service.path)
  t.after(link.end)
  await link.ready
  const charter = { organizationId: 'o', version: 1, body: '{}', seal: 's' }
  const counted = async () => {
    const answer = await link.vault.heartbeat({ charter }).catch(() => undefined)
    return answer?.kind === 'counted' ? answer.ticket : undefined
  }
  const founding = {
    organizationName: '',
    userName: '',
    apiKeyName: '',
    publicKey: '',
    curveType: '',
  }
  const first = [(await link.vault.establish(founding)).ticket, await counted()]
  await service.stop()
  await service.start(counting(1))
  let second: number | undefined
  while (second === undefined) {
    await new Promise((resolve) => setImmediate(resolve))
    second = await counted()
  }
  assert.ok(!first.includes(second))
  link.vault.settled({ committed: [second], dropped: [], unknown: [] })
  await link.vault.proveRoot('next')
  assert.deepEqual(told, [{ committed: [2], dropped: [], unknown: [] }])
})

test('a host goes on without a vault that breaks off each connection before it is prepared', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-link-'))
  const path = join(folder, 'vault.sock')
  let connections = 0
  const thrice = Promise.withResolvers<void>()
  // It has read nothing, so its end breaks the connection.
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => undefined)
    if (++connections > 1)
      socket.write(writeFrame([{ protocol: PROTOCOL_VERSION, ready: { secp256k1: 'libsecp256k1' } }]))
    if (connections > 3) thrice.resolve()
    setImmediate(() => setImmediate(() => socket.destroy()))
  })
  server.listen(path)
  await once(server, 'listening')
  chmodSync(path, 0o660)
  const link = connectVault(path)
  t.after(async () => {
    await link.end()
    server.close()
    await once(server, 'close')
    rmSync(folder, { recursive: true })
  })
  link.onReturn(async (vault) => void (await vault.proveRoot('preparing')))
  await link.ready
  await thrice.promise
})

test('a socket that everybody may connect to, or replace, is refused at once', async (t) => {
  const service = await aService(t)
  await service.start(saying('open'))
  writeFileSync(join(service.folder, 'file'), '')
  await assert.rejects(
    connectVault(join(service.folder, 'file')).ready,
    /file is no socket: CLAVIGER_VAULT names/,
  )
  chmodSync(service.path, 0o666)
  await assert.rejects(connectVault(service.path).ready, /everybody may connect to the socket/)
  chmodSync(service.path, 0o660)
  chmodSync(service.folder, 0o770)
  await assert.rejects(connectVault(service.path).ready, /may put another socket into the folder/)
})

test('a ticket of a connection that has ended is never told to the next, whose tickets begin anew', () => {
  const tickets = new TicketsSince()
  tickets.begin()
  const told = (units: Partial<SettledUnits>) =>
    tickets.own({ committed: [], dropped: [], unknown: [], ...units })
  assert.equal(tickets.shown({ ticket: 5 }, tickets.current).ticket, 5)
  assert.deepEqual(told({ committed: [5] })?.committed, [5])
  tickets.begin()
  const later = tickets.shown({ ticket: 1 }, tickets.current).ticket
  assert.deepEqual(told({ committed: [5] }), undefined)
  assert.deepEqual(told({ committed: [5, later], dropped: [4] }), {
    committed: [1],
    dropped: [],
    unknown: [],
  })
})
