import { ConfigError, type Config, readConfig } from '../app/config.ts'
import type { Environment } from '../app/settings/settings-source.ts'
import { secp256k1Trouble } from '../app/secp256k1-trouble.ts'
import { openService } from '../app/service.ts'
import { readArguments } from './arguments.ts'
import { rootKeyFileTrouble } from './root-key-file.ts'

/** `claviger doctor`: tries each part in turn and says what it found; 0 when all is well. */
export async function doctor(
  environment: Environment,
  workingFolder: string,
  args: readonly string[],
): Promise<number> {
  readArguments(args, {})
  const say = (mark: 'ok' | '!!', text: string): void => {
    process.stdout.write(`${mark}  ${text}\n`)
  }
  let config: Config
  try {
    config = readConfig(environment, workingFolder)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.problems) say('!!', problem)
    return 1
  }
  say(
    'ok',
    `configuration: ${config.host}:${config.port}, data in ${config.dataFolder}, ${config.databaseUrl === undefined ? 'embedded store' : 'PostgreSQL'}`,
  )
  const rootKeyProblem = rootKeyFileTrouble(config)
  if (rootKeyProblem !== undefined) {
    say('!!', rootKeyProblem)
    return 1
  }
  say('ok', `root key file ${config.rootKeyPath}`)
  try {
    const { vault, store, secp256k1 } = await openService(config)
    say('ok', 'the vault starts, opens the root key, and the data was written under it')
    const slow = secp256k1Trouble(secp256k1)
    const isWell = slow === undefined || config.allowSlowSecp256k1
    say(isWell ? 'ok' : '!!', slow ?? 'secp256k1 runs on libsecp256k1')
    say('ok', `the ${store.engine} store opens and commits durably`)
    await store.close()
    await vault.end()
    return isWell ? 0 : 1
  } catch (error) {
    say('!!', error instanceof Error ? error.message : String(error))
    return 1
  }
}
