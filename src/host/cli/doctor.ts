import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { realWorld } from '../../trusted/base/real-world.ts'
import { isInTheClear, neededKeys } from '../../trusted/vault/keys/needed-keys.ts'
import { type Config, readConfig } from '../app/config.ts'
import { ConfigError } from '../app/config-error.ts'
import type { Environment } from '../app/settings/settings-source.ts'
import { namedFileProblems } from '../app/named-files.ts'
import { missingData, olderData } from '../app/open-store.ts'
import { secp256k1Trouble } from '../app/secp256k1-trouble.ts'
import { withService } from '../app/open-service.ts'
import { QUOTA_PATH } from '../http/operator-routes.ts'
import { carryOutQuotas, type QuotaAnswer, type QuotaOrder } from '../quotas/quota-orders.ts'
import { readArguments } from './arguments.ts'
import { askData } from './ask-data.ts'
import type { Finding } from './doctor/finding.ts'
import { databaseFindings, diskFinding } from './doctor/machine-findings.ts'
import { running } from './doctor/running-findings.ts'
import { socketTrouble } from '../link/vault-socket.ts'
import { announcedHosts } from '../rotation/hosts.ts'
import { sealedVersion } from '../rotation/sealed-version-note.ts'
import { recoveryNoted } from '../rotation/recovery-notes.ts'
import { keyFindings } from './doctor/key-findings.ts'
import { quotaFindings } from './doctor/quota-findings.ts'
import { sealFindings, whyNotOpened } from './doctor/seal-findings.ts'
import { recoveryFinding } from './doctor/recovery-finding.ts'
import { printable, printableJson } from './policies/printable.ts'
import { askRotation } from './root-key/ask-rotation.ts'
import { rootKeyFileTrouble } from './root-key-file.ts'
import { withVault } from './with-vault.ts'
import { messageOf } from './message-of.ts'
import type { ExitCode } from './exit-codes.ts'

/**
 * `claviger doctor [--json]`: checks each part in turn and prints its findings, also beside a running service; 0 if all
 * is well.
 */
export async function doctor(
  environment: Environment,
  workingFolder: string,
  args: readonly string[],
): Promise<ExitCode<'doctor'>> {
  const { json = false } = readArguments(args, { json: { type: 'boolean' } })
  const findings: Finding[] = []
  for await (const finding of lookedAt(environment, workingFolder)) {
    findings.push(finding)
    if (!json) process.stdout.write(`${finding.mark}  ${printable(finding.text)}\n`)
  }
  const isWell = findings.every(({ mark }) => mark === 'ok')
  if (json) process.stdout.write(`${printableJson({ ok: isWell, findings }, 2)}\n`)
  return isWell ? 0 : 1
}

async function* lookedAt(environment: Environment, workingFolder: string): AsyncGenerator<Finding> {
  let config: Config
  try {
    config = readConfig(environment, workingFolder, { isServed: true })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const text of error.problems) yield { mark: '!!', text }
    return
  }
  const { databaseUrl, databaseLimits } = config
  const store = databaseUrl === undefined ? 'embedded store' : 'PostgreSQL'
  yield {
    mark: 'ok',
    text: `configuration: ${config.host}:${config.port}, data in ${config.dataFolder}, ${store}`,
  }
  yield* await tried(async () =>
    (await namedFileProblems(config)).map((text) => ({ mark: '!!', text }) as const),
  )
  const rootKey = await tried(async () => [rootKeyFinding(config)])
  yield* rootKey
  if (rootKey.some(({ mark }) => mark !== 'ok')) return
  yield* unusedPassphrase(config)
  let notOpened: Finding | undefined
  yield* await tried(async () => {
    const seals = config.vaultPath === undefined ? await sealFindings(config) : []
    notOpened = whyNotOpened(seals)
    return seals.map(({ mark, text }) => ({ mark, text }))
  })
  const { isRunning, findings } = await running(config)
  // For the embedded store, only the running service can report.
  if (databaseUrl !== undefined || !isRunning) {
    if (notOpened === undefined) yield* opened(config)
    else yield notOpened
  } else {
    yield* await tried(() => keysOfService(config))
    yield* await tried(() => quotasOfService(config))
  }
  yield diskFinding(config)
  if (databaseUrl !== undefined)
    yield* await tried(() => databaseFindings(databaseUrl, databaseLimits.connectMs))
  yield* findings
}

/** The location of the root key: with the vault that this user connects to, or in a file of this user. */
function rootKeyFinding(config: Config): Finding {
  const { vaultPath, rootKeyPath } = config
  if (vaultPath === undefined) {
    const trouble = rootKeyFileTrouble(config)
    return trouble === undefined
      ? { mark: 'ok', text: `root key file ${rootKeyPath}, ${accessTo(rootKeyPath)}${sealsOf(rootKeyPath)}` }
      : { mark: '!!', text: trouble }
  }
  if (isReadable(rootKeyPath))
    return {
      mark: '!!',
      text: `this user can read the root key file ${rootKeyPath}: give it to the user of the vault, mode 600`,
    }
  const trouble = socketTrouble(vaultPath)
  return trouble === undefined
    ? { mark: 'ok', text: `the vault is another user's, at ${vaultPath}` }
    : { mark: '!!', text: trouble }
}

function accessTo(path: string): string {
  const { mode, uid } = statSync(path)
  const owner = uid === process.getuid?.() ? 'this user' : `user ${uid}`
  return `mode ${(mode & 0o777).toString(8)}, of ${owner}`
}

function sealsOf(path: string): string {
  const names = sealNames(path) ?? []
  return names.length === 0 ? '' : `, sealed by ${names.join(', ')}`
}

/** An operator who has set a passphrase believes that it protects the file. */
function unusedPassphrase({
  vaultPath,
  rootKeyPath,
  passphrase,
  passphrasePath,
}: Config): readonly Finding[] {
  const isSet = passphrase !== undefined || passphrasePath !== undefined
  if (vaultPath !== undefined || !isSet || !isReadable(rootKeyPath)) return []
  if (!isInTheClear(readFileSync(rootKeyPath, 'utf8'))) return []
  const remedy = 'claviger root-key rekey --passphrase-file FILE encrypts it'
  return [{ mark: '!!', text: `the root key file is in plain text, although a passphrase is set: ${remedy}` }]
}

/** Of the seals in the file. If it cannot be read, the vault reports the reason. */
function sealNames(path: string): readonly string[] | undefined {
  try {
    return neededKeys(readFileSync(path, 'utf8')).seals.map(({ seal }) => seal)
  } catch {
    return undefined
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** The vault and the store, opened like those of the service; but a look does not migrate data. */
async function* opened(config: Config): AsyncGenerator<Finding> {
  yield* await tried(async () => {
    const missing = await missingData(config)
    if (missing !== undefined) return [...(await vaultAlone(config)), { mark: '!!', text: missing.message }]
    const older = await olderData(config)
    if (older !== undefined)
      return [...(await vaultAlone(config)), { mark: '!!', text: `${older.message}; ${WHAT_CHANGES}` }]
    return await withService(config, async ({ vault: { vault }, store, secp256k1 }) => {
      const slow = secp256k1Trouble(secp256k1)
      const isWell = slow === undefined || config.allowSlowSecp256k1
      const noted = await recoveryNoted(store, vault)
      const held = await vault.rereadRootKey()
      const hosts = await announcedHosts(store, realWorld.now())
      const quotas = await carryOutQuotas(store, { do: 'near' }, realWorld.now())
      return [
        { mark: 'ok', text: 'the vault starts, opens the root key, and the data was written under it' },
        { mark: isWell ? 'ok' : '!!', text: slow ?? 'secp256k1 runs on libsecp256k1' },
        { mark: 'ok', text: `the ${store.engine} store opens and commits durably` },
        ...keyFindings(hosts, held, await sealedVersion(store)),
        recoveryFinding(config, noted, realWorld.now()),
        ...quotaFindings(quotas),
      ]
    })
  })
}

const WHAT_CHANGES = 'claviger upgrade --check says what this changes'

/** Where no data is, or only data of another version, which the vault could prove to be its own. */
async function vaultAlone(config: Config): Promise<readonly Finding[]> {
  return await tried(() =>
    withVault(config, async () => [{ mark: 'ok', text: 'the vault starts and opens the root key' }]),
  )
}

/** A service of an earlier version does not report recoveries. */
async function keysOfService(config: Config): Promise<readonly Finding[]> {
  const { hosts, recovery, sealedUnder = 0 } = await askRotation(config, { do: 'state' })
  const keys = keyFindings(hosts, undefined, sealedUnder)
  return recovery === undefined ? keys : [...keys, recoveryFinding(config, recovery, realWorld.now())]
}

async function quotasOfService(config: Config): Promise<readonly Finding[]> {
  const asked = { path: QUOTA_PATH, carryOut: carryOutQuotas }
  return quotaFindings(await askData<QuotaOrder, QuotaAnswer>(config, { do: 'near' }, asked))
}

async function tried(look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look()
  } catch (error) {
    return [{ mark: '!!', text: messageOf(error) }]
  }
}
