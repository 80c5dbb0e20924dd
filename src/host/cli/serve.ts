import { existsSync } from 'node:fs'
import { checkPort } from '../app/check-port.ts'
import type { Config } from '../app/config.ts'
import { ConfigError } from '../app/config-error.ts'
import { SHUTDOWN_MS_MAX } from '../app/drain.ts'
import { checkNamedFiles } from '../app/named-files.ts'
import { jsonLog } from '../app/log.ts'
import { startVault } from '../app/start-vault.ts'
import { watchForStalls } from '../app/stall-watch.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import { readArguments } from './arguments.ts'
import { devEnvPath } from './dev.ts'
import { ownRootKeyFileTrouble } from './root-key-file.ts'
import { serveUntilStopped } from './serve-until-stopped.ts'
import { untilStopped } from './until-stopped.ts'
import type { ExitCode } from './exit-codes.ts'

/** `claviger serve`: runs until it is told to stop, then drains. */
export async function serve(config: Config, args: readonly string[]): Promise<ExitCode<'serve'>> {
  const { 'allow-empty': allowEmpty = false } = readArguments(args, { 'allow-empty': { type: 'boolean' } })
  const troubles = [ownRootKeyFileTrouble(config), developmentTrouble(config)]
  const problems = troubles.filter((trouble) => trouble !== undefined)
  if (problems.length > 0) throw new ConfigError(problems)
  const stopped = untilStopped(config.drainMs + SHUTDOWN_MS_MAX)
  await checkNamedFiles(config)
  await checkPort(config)
  const vault = startVault(config)
  const { startService } = await import('../app/service.ts')
  const log = jsonLog((line) => process.stdout.write(line), realWorld.now)
  const service = await startService(config, log, { allowEmpty, vault })
  if (config.databaseUrl === undefined) watchForStalls(log)
  await serveUntilStopped(service, stopped)
  return 0
}

/** A file in such a folder contains the key of the root user, for every reader of the folder. */
function developmentTrouble(config: Config): string | undefined {
  const path = devEnvPath(config)
  return existsSync(path)
    ? `the data folder was made by claviger dev, and the API key of its root user lies in ${path}: take another folder with CLAVIGER_DATA, ` +
        'or, if this data is to stay, give the root user another key, delete that one, and remove the file'
    : undefined
}
