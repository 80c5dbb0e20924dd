import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { TurnkeyClient } from '@turnkey/http'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { eventually } from '../support/eventually.ts'
import {
  devEnvOf,
  eventsIn,
  runCommand,
  type RunningService,
  runService,
  temporaryFolder,
} from '../support/running-service.ts'

const services = new Set<RunningService>()
after(() => Promise.all([...services].map((service) => service.kill())))

async function opened(...args: Parameters<typeof runService>): Promise<RunningService> {
  const service = await runService(...args)
  services.add(service)
  return service
}

type Line = { readonly id: string; readonly event: string; readonly operation?: string }

function linesOf(path: string): readonly Line[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Line]
    } catch {
      // Half a line, of a process that was killed.
      return []
    }
  })
}

function clientOf({ dataFolder, url }: RunningService) {
  const env = devEnvOf(dataFolder)
  const stamper = new ApiKeyStamper({ apiPublicKey: env.API_PUBLIC_KEY, apiPrivateKey: env.API_PRIVATE_KEY })
  const client = new TurnkeyClient({ baseUrl: url }, stamper)
  const organizationId = env.ORGANIZATION_ID
  let last = 0
  return {
    organizationId,
    client,
    act: async (): Promise<string> => {
      const { activity } = await client.createReadOnlySession({
        type: 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION',
        organizationId,
        timestampMs: String((last = Math.max(last + 1, Date.now()))),
        parameters: {},
      })
      return activity.id
    },
  }
}

test('what was acknowledged is in the stream after any number of kills, and what comes twice has the same id', async () => {
  const dataFolder = join(temporaryFolder(), 'data')
  const path = join(temporaryFolder(), 'audit.log')
  const settings = { dataFolder, CLAVIGER_AUDIT: path }
  const acknowledged: string[] = []
  for (let life = 0; life < 3; life++) {
    const service = await opened('dev', settings)
    const { act } = clientOf(service)
    let isKilled = false
    const working = [1, 2, 3, 4].map(async () => {
      while (!isKilled) {
        try {
          acknowledged.push(await act())
        } catch (error) {
          if (!isKilled) throw error
        }
      }
    })
    await eventually(() => acknowledged.length >= (life + 1) * 40)
    isKilled = true
    await service.kill()
    await Promise.all(working)
  }
  const service = await opened('dev', settings)
  const told = () => new Set(linesOf(path).map(({ id }) => id))
  await eventually(() => acknowledged.every((activityId) => told().has(`${activityId}-1`)))
  assert.equal(await service.stop(), 0)
  assert.deepEqual(eventsIn(service.output(), 'bug'), [])
  // No activity has more than one state here, and so no more than one id.
  const lines = linesOf(path).filter(({ event }) => event === 'activity')
  assert.ok(new Set(lines.map(({ id }) => id)).size >= acknowledged.length)
})

test('reads of an organization are told where that is wanted, before they are answered; a moved file is begun anew', async () => {
  const dataFolder = join(temporaryFolder(), 'data')
  const path = join(temporaryFolder(), 'audit.log')
  const first = await opened('dev', { dataFolder, CLAVIGER_AUDIT: path })
  const { organizationId } = clientOf(first)
  await clientOf(first).client.getWhoami({ organizationId })
  await clientOf(first).act()
  await eventually(() => linesOf(path).some(({ event }) => event === 'activity'))
  await first.stop()
  assert.deepEqual(
    linesOf(path).filter(({ event }) => event === 'read'),
    [],
  )

  renameSync(path, `${path}.1`)
  const second = await opened('dev', {
    dataFolder,
    CLAVIGER_AUDIT: path,
    CLAVIGER_AUDIT_READS: organizationId,
  })
  await clientOf(second).client.getWhoami({ organizationId })
  await second.kill()
  const third = await opened('dev', { dataFolder, CLAVIGER_AUDIT: path })
  await eventually(() =>
    linesOf(path).some(({ event, operation }) => event === 'read' && operation === 'whoami'),
  )
  await third.stop()
  // The stream's own entry and jobs are nothing that a verification finds fault with.
  const { code, output } = await runCommand(['verify'], { CLAVIGER_DATA: dataFolder })
  assert.equal(code, 0, output)

  const without = await opened('dev', { dataFolder })
  await without.stop()
  assert.equal(eventsIn(without.output(), 'no audit stream').length, 1)
})
