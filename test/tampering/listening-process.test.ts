import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { vaultProcess } from '../../src/host/link/spawn-vault.ts'
import { temporaryFolder } from '../support/running-service.ts'
import { writeFrame } from '../../src/protocol/frames.ts'
import { HostileHost } from './hostile-host.ts'

// The vault process as a service: the command that started it is at one end, and other hosts connect as they like.

const HOSTS_MAX = 16
const rootKeyPath = join(temporaryFolder(), 'root.key')
const key = Buffer.alloc(32, 9).toString('hex')
const file = { format: 'claviger root key 1', versions: [{ version: 1, key }] }
writeFileSync(rootKeyPath, JSON.stringify(file), { mode: 0o600 })

type Listening = {
  readonly path: string
  /** The end of the command. */
  readonly socket: Socket
  readonly ended: Promise<unknown[]>
}

function listening(t: TestContext, path = join(temporaryFolder(), 'vault.sock')): Listening {
  const { child, socket } = vaultProcess({ rootKeyPath, listening: { path } })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  // A pipe of a child process is a socket.
  return { path, socket: socket as Socket, ended }
}

/** A connection to the vault, which reads nothing before it is resumed. */
async function connected(t: TestContext, { path }: Listening): Promise<Socket> {
  const socket = connect(path).pause()
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

async function isWelcome(socket: Socket): Promise<boolean> {
  const host = new HostileHost(socket)
  host.goOnReading()
  return await host.next().then(
    ({ ready }) => ready !== undefined,
    () => false,
  )
}

async function started(t: TestContext): Promise<Listening> {
  const vault = listening(t)
  assert.ok(await isWelcome(vault.socket))
  return vault
}

test('sixteen hosts connect, one more is turned away, and is welcome when another has left', async (t) => {
  const vault = await started(t)
  const hosts: Socket[] = []
  for (let n = 0; n < HOSTS_MAX; n++) {
    const host = await connected(t, vault)
    assert.ok(await isWelcome(host), `host ${n + 1}`)
    hosts.push(host)
  }
  assert.equal(await isWelcome(await connected(t, vault)), false)
  hosts[0]?.destroy()
  // The vault sees it a little later.
  while (!(await isWelcome(await connected(t, vault)))) await new Promise((resolve) => setImmediate(resolve))
})

test('a host that resets its connection harms no other', async (t) => {
  const vault = await started(t)
  const other = new HostileHost(await connected(t, vault))
  other.goOnReading()
  assert.ok((await other.next()).ready !== undefined)
  const assertServed = async () =>
    assert.match((await other.say({ protocol: 0 })).refused ?? '', /speaks version/)
  for (let n = 0; n < 20; n++) {
    const host = await connected(t, vault)
    await assertServed()
    // A connection that is closed with unread bytes, which the greeting is by now, is reset.
    host.destroy()
    await assertServed()
  }
})

test('the vault ends without an error when the command that started it does, also in the middle of a call', async (t) => {
  for (const isInCall of [false, true]) {
    const vault = listening(t)
    const command = new HostileHost(vault.socket)
    assert.ok((await command.next()).ready !== undefined)
    assert.ok(await isWelcome(await connected(t, vault)))
    // The vault cannot write its answer.
    if (isInCall) await command.written(writeFrame([null]))
    command.hangUp()
    assert.deepEqual(await vault.ended, [0, null])
  }
})

test('the command is told why the vault cannot listen', async (t) => {
  const { socket } = listening(t, join(temporaryFolder(), 'no such folder', 'vault.sock'))
  const { failed } = (await new HostileHost(socket).next()) as { readonly failed?: string }
  assert.match(failed ?? '', /the vault could not start: .*ENOENT|the vault could not start: .*EACCES/)
})
