import { type Config, ConfigError } from '../app/config.ts'
import { jsonLog } from '../app/log.ts'
import { startService } from '../app/service.ts'
import { realWorld } from '../base/real-world.ts'
import { rootKeyFileTrouble } from './root-key-file.ts'
import { untilStopped } from './until-stopped.ts'

/** `claviger serve`: runs until it is told to stop, then drains. */
export async function serve(config: Config): Promise<number> {
  const trouble = rootKeyFileTrouble(config.rootKeyPath)
  if (trouble !== undefined) throw new ConfigError([trouble])
  const log = jsonLog((line) => process.stdout.write(line), realWorld.now)
  const service = await startService(config, log)
  await untilStopped()
  await service.drain()
  return 0
}
