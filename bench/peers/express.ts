import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { p256PublicKeyOf } from '../../src/trusted/crypto/p256.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { sent } from '../measures.ts'
import { cpuSeconds, residentMegabytes } from '../processes.ts'
import { secretOf } from '../service.ts'
import type { Side } from '../side.ts'

/** A service of thirty lines, with its database; the CPU of both counts. */
export async function expressSide(folder: string): Promise<Side> {
  const secret = secretOf('express')
  const publicKey = p256PublicKeyOf(secret)
  const database = await startPostgres()
  const script = fileURLToPath(new URL('./express-server.ts', import.meta.url))
  const server = fork(script, [folder, `${database.address}/postgres`, publicKey])
  // It says its port and nothing else.
  const [port] = (await once(server, 'message')) as [number]
  const cpu = (): number => cpuSeconds(server.pid ?? 0) + cpuSeconds(database.pid)
  const as = { organizationId: 'none', publicKey, privateKey: secret.toString('hex') }
  return {
    name: 'express',
    take: (measure) =>
      measure.name.startsWith('secp256k1')
        ? sent(
            measure,
            { load: 'signatures', requests: measure.requests, as, signWith: ['the one key'] },
            { port, cpu },
          )
        : undefined,
    megabytes: () => residentMegabytes(server.pid ?? 0),
    stop: async () => {
      server.kill()
      await once(server, 'exit')
      await database.stop()
    },
  }
}
