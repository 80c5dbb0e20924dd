import { ConfigError } from './config-error.ts'
import { settingsOf, valuesOf, type ValuesOf } from './settings/parts.ts'
import { contradictions, twoPassphrases } from './settings/contradictions.ts'
import { mixedUpFiles } from './settings/mixed-up-files.ts'
import { type Environment, readTexts } from './settings/settings-source.ts'
import { settings } from './settings/settings.ts'

/** All settings of an operator. */
export type Config = ValuesOf<typeof settings>

/**
 * Reads the settings: the environment first, then the file that `CLAVIGER_CONFIG` names (lines of `NAME=value`), then
 * defaults.
 *
 * @param isServed  whether a service starts with them. A service can have settings of its own, for example in its unit,
 *                  beside those of the file. The file alone is enough for a backup, though it may set an address of the
 *                  operator's port without that port
 * @throws ConfigError with every problem found
 */
export function readConfig(
  environment: Environment,
  workingFolder: string,
  { isServed = false }: { readonly isServed?: boolean } = {},
): Config {
  const problems: string[] = []
  const known = settingsOf(settings)
  const texts = readTexts(environment, known, problems)
  for (const name of Object.keys(texts))
    if (!known.some((setting) => setting.name === name)) problems.push(`${name} is not a setting`)
  const source = { texts, workingFolder, problems }
  const config = valuesOf(settings, source)
  problems.push(...twoPassphrases(config), ...mixedUpFiles(config, source))
  if (isServed) problems.push(...contradictions(config, texts))
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}
