// The transit seal against a real OpenBao, which no package of Debian brings:
//   npm run openbao [its program, `bao` unless told]
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { transit } from '../../src/seals/transit.ts'
import { Secret } from '../../src/trusted/base/secret.ts'
import { freePorts } from '../support/free-port.ts'
import { eventually } from '../support/eventually.ts'

const TOKEN = 'secret-token'
const FILE = 'ab'.repeat(16)
const key = new Secret(randomBytes(32))

const [program = 'bao'] = process.argv.slice(2)
const listens = `127.0.0.1:${(await freePorts(1))[0]}`
const address = `http://${listens}`
const options = ['server', '-dev', '-dev-root-token-id', TOKEN, '-dev-listen-address', listens]
const bao = spawn(program, options, { stdio: 'ignore' })
await once(bao, 'spawn')
try {
  await eventually(() => isDone('sys/mounts/transit', { type: 'transit' }))
  assert.ok(await isDone('transit/keys/root', {}))
  const means = { environment: { BAO_ADDR: address, BAO_TOKEN: TOKEN }, randomBytes }
  const closed = await transit.close(key, { parameters: { key: 'root' }, file: FILE }, means)
  const entry = { seal: 'transit', ...closed }
  const opened = await transit.open(entry, FILE, means)
  assert.deepEqual(Buffer.from(opened.reveal()), Buffer.from(key.reveal()))
  console.log('ok  the engine gives the key of a file back')
  assert.ok(await isDone('transit/keys/root/rotate', {}))
  assert.deepEqual(Buffer.from((await transit.open(entry, FILE, means)).reveal()), Buffer.from(key.reveal()))
  console.log('ok  and after its own key was rotated')
  await assert.rejects(() => transit.open({ ...entry, key: 'other' }, FILE, means), /answered 400/)
  await assert.rejects(() => transit.open(entry, 'cd'.repeat(16), means), /answered 400/)
  const stranger = { ...means, environment: { BAO_ADDR: address, BAO_TOKEN: 'other' } }
  await assert.rejects(() => transit.open(entry, FILE, stranger), /answered 403/)
  console.log('ok  to nobody else, with no other key, and for no other file')
} finally {
  bao.kill('SIGKILL')
  if (bao.exitCode === null && bao.signalCode === null) await once(bao, 'exit')
}

async function isDone(path: string, body: object): Promise<boolean> {
  try {
    const headers = { 'X-Vault-Token': TOKEN }
    const { ok } = await fetch(`${address}/v1/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return ok
  } catch {
    // It does not listen yet.
    return false
  }
}
