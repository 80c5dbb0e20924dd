import { existsSync, readdirSync } from 'node:fs'
import { Failure } from '../../trusted/base/failure.ts'
import { readConfig } from '../app/config.ts'
import { ConfigError } from '../app/config-error.ts'
import { settingsOf } from '../app/settings/parts.ts'
import { settings } from '../app/settings/settings.ts'
import { type Environment, readTexts } from '../app/settings/settings-source.ts'
import { type Claviger, startClaviger, type StartOptions } from '../emulator/start-claviger.ts'
import { readArguments } from './arguments.ts'
import { untilStopped } from './until-stopped.ts'
import { UsageError } from './usage.ts'
import type { ExitCode } from './exit-codes.ts'

const LOOPBACK = ['127.0.0.1', 'localhost']

/** `claviger emulate`: the whole service for test suites, in memory and only on this machine. */
export async function emulate(
  environment: Environment,
  args: readonly string[],
): Promise<ExitCode<'emulate'>> {
  const { json, ...options } = optionsOf(args)
  refuseData(environment)
  const stopped = untilStopped()
  const claviger = await started(options)
  process.stdout.write(
    json ? `${JSON.stringify(readyLine(claviger, options))}\n` : greeting(claviger, options),
  )
  await stopped
  await claviger.close()
  return 0
}

type Options = StartOptions & { readonly seed: string }

function optionsOf(args: readonly string[]): Options & { readonly json: boolean } {
  const {
    seed = '1',
    port = '0',
    clock,
    fixtures,
    json = false,
    'strict-time': strictTime = false,
  } = readArguments(args, {
    seed: { type: 'string' },
    port: { type: 'string' },
    clock: { type: 'string' },
    fixtures: { type: 'string' },
    json: { type: 'boolean' },
    'strict-time': { type: 'boolean' },
  })
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port is a number up to 65535, and 0 for a free one, not ${port}`)
  return {
    seed,
    port: Number(port),
    strictTime,
    json,
    ...(clock === undefined ? {} : { clock }),
    ...(fixtures === undefined ? {} : { fixtures }),
  }
}

/** The command touches no real data: a setting for the location of data belongs to another command. */
function refuseData(environment: Environment): void {
  const { host, databaseUrl, dataFolder } = readConfig(environment, process.cwd())
  const named = readTexts(environment, settingsOf(settings), [])
  const problems = [
    ...(LOOPBACK.includes(host) ? [] : [`CLAVIGER_HOST is ${host}: the emulator listens on 127.0.0.1 alone`]),
    ...(databaseUrl === undefined
      ? []
      : ['CLAVIGER_DATABASE_URL is set: the emulator keeps everything in memory, and touches no database']),
    ...(named['CLAVIGER_DATA'] !== undefined && holdsData(dataFolder)
      ? [`CLAVIGER_DATA names ${dataFolder}, which holds data: the emulator keeps everything in memory`]
      : []),
    ...(named['CLAVIGER_ROOT_KEY'] === undefined
      ? []
      : ['CLAVIGER_ROOT_KEY is set: the keys of the emulator follow from its seed']),
  ]
  if (problems.length > 0) throw new ConfigError(problems)
}

function holdsData(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0
}

/** A refusal of the emulator itself is for its caller. */
async function started(options: Options): Promise<Claviger> {
  try {
    return await startClaviger(options)
  } catch (error) {
    throw error instanceof Failure ? new UsageError(error.message) : error
  }
}

/** For programs: one line of JSON as soon as it is ready. */
function readyLine({ baseUrl, root, serviceKeys, clock }: Claviger, { seed }: Options) {
  return {
    event: 'ready',
    service: 'Claviger EMULATOR',
    baseUrl,
    organizationId: root.organizationId,
    rootUserId: root.userId,
    apiPublicKey: root.apiPublicKey,
    apiPrivateKey: root.apiPrivateKey,
    serviceKeys,
    seed,
    now: clock.now().toISOString(),
    pid: process.pid,
  }
}

function greeting({ baseUrl, root, clock }: Claviger, { seed }: Options): string {
  return `
Claviger EMULATOR: everything is in memory, and every key follows from the seed ${seed}. Nothing of value belongs into it.
Listening on ${baseUrl}; its clock shows ${clock.now().toISOString()}.

${root.env()}
Controls: ${baseUrl}/emulator    Mail and text messages: ${baseUrl}/dev/inbox
Stop with Ctrl-C.
`
}
