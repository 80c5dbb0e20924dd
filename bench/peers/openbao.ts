import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import { sent } from '../measures.ts'
import { cpuSeconds, residentMegabytes } from '../processes.ts'
import type { Side } from '../side.ts'
import type { PeerOrder } from './load-peer.ts'

/**
 * OpenBao with its file store and an audit file: its transit engine, which stores nothing, and a durable write of its
 * kv engine.
 */
export async function openbaoSides(program: string): Promise<readonly Side[]> {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-openbao-'))
  const port = await freePort()
  const settings = join(folder, 'bao.hcl')
  const [data, audit] = [join(folder, 'data'), join(folder, 'audit.log')]
  writeFileSync(
    settings,
    `storage "file" { path = ${JSON.stringify(data)} }
listener "tcp" {
  address = "127.0.0.1:${port}"
  tls_disable = true
}
audit "file" "file" { options { file_path = ${JSON.stringify(audit)} } }
api_addr = "http://127.0.0.1:${port}"
disable_mlock = true
`,
  )
  const server = spawn(program, ['server', `-config=${settings}`], { stdio: 'ignore' })
  const ask = asking(`http://127.0.0.1:${port}/v1`)
  const { keys_base64: keys, root_token: token } = (await eventually(() =>
    ask('PUT', 'sys/init', { secret_shares: 1, secret_threshold: 1 }),
  )) as { readonly keys_base64: readonly string[]; readonly root_token: string }
  await ask('PUT', 'sys/unseal', { key: keys[0] })
  await ask('POST', 'sys/mounts/transit', { type: 'transit' }, token)
  await ask('POST', 'sys/mounts/kv', { type: 'kv', options: { version: '2' } }, token)
  for (const type of ['ecdsa-p256', 'ed25519']) await ask('POST', `transit/keys/${type}`, { type }, token)

  const cpu = (): number => cpuSeconds(server.pid ?? 0)
  const side = (
    name: string,
    orderOf: (measure: string) => Pick<PeerOrder, 'path' | 'field'> | undefined,
  ) => ({
    name,
    take: (measure: Parameters<Side['take']>[0]) => {
      const order = orderOf(measure.name)
      return order === undefined
        ? undefined
        : sent(measure, { load: 'peer', requests: measure.requests, token, ...order }, { port, cpu })
    },
    megabytes: () => residentMegabytes(server.pid ?? 0),
    stop: async () => {},
  })
  const transit = side('openbao', (measure) => {
    if (measure.startsWith('P-256')) return { path: '/v1/transit/sign/ecdsa-p256', field: 'input' }
    return measure.startsWith('Ed25519') ? { path: '/v1/transit/sign/ed25519', field: 'input' } : undefined
  })
  const kv = side('openbao kv', (measure) =>
    measure === 'P-256, 64 connections' ? { path: '/v1/kv/data/bench', field: 'data.value' } : undefined,
  )
  const stop = async (): Promise<void> => {
    server.kill()
    await once(server, 'exit')
    rmSync(folder, { recursive: true })
  }
  return [transit, { ...kv, stop }]
}

function asking(url: string) {
  return async (method: string, path: string, body: object, token = ''): Promise<unknown> => {
    const answer = await fetch(`${url}/${path}`, {
      method,
      body: JSON.stringify(body),
      headers: token === '' ? {} : { 'x-vault-token': token },
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.status === 204 ? {} : await answer.json()
  }
}

/** The server has no line that says when it takes requests. */
async function eventually<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (tries === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
