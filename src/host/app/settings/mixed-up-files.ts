import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { AuditTarget } from '../../delivery/audit/audit-sink.ts'
import type { Source } from './setting.ts'

/** The settings that name a file: those to which the service appends, and those with another content. */
type Files = {
  readonly requestLog: string
  readonly audit: { readonly target: AuditTarget | undefined }
  readonly dataFolder: string
  readonly rootKeyPath: string
  readonly passphrasePath: string | undefined
  readonly pkcs11: { readonly module: string | undefined; readonly pinPath: string | undefined }
  readonly vaultPath: string | undefined
  readonly unseal: { readonly socketPath: string }
}

type Named = { readonly name: string; readonly path: string }

/**
 * Problems with logs in files that are something else. The service appends to a log. In the root key file, for example,
 * a line would lose the key, and in the store all data.
 */
export function mixedUpFiles(files: Files, { texts, workingFolder }: Source): readonly string[] {
  const logs = logFiles(files)
  // Only the contents of these two are kept in the configuration.
  const read = ['CLAVIGER_AUTH_PROXY', 'CLAVIGER_CONFIG'].map((name) => ({ name, path: texts[name] }))
  const others = [
    { name: 'CLAVIGER_ROOT_KEY', path: files.rootKeyPath },
    { name: 'CLAVIGER_ROOT_PASSPHRASE_FILE', path: files.passphrasePath },
    { name: 'CLAVIGER_PKCS11_MODULE', path: files.pkcs11.module },
    { name: 'CLAVIGER_PKCS11_PIN_FILE', path: files.pkcs11.pinPath },
    { name: 'CLAVIGER_VAULT', path: files.vaultPath },
    { name: 'CLAVIGER_UNSEAL_SOCKET', path: files.unseal.socketPath },
    ...read,
  ]
  const ownPaths = OWN_NAMES.map((name) => join(files.dataFolder, name))
  return logs.flatMap(({ name, path }, index) => {
    const taken = [...others, ...logs.slice(0, index)].find(
      (other) => other.path !== undefined && isSameFile(path, resolve(workingFolder, other.path)),
    )
    if (taken !== undefined)
      return [`${name} names ${path}, which is the file of ${taken.name}: name a file of its own`]
    return ownPaths.some((own) => isSameFile(path, own))
      ? [`${name} names ${path}, which is a file of the data folder with another content: name another file`]
      : []
  })
}

/** The files to which a service with these settings appends. */
export function logFiles({ requestLog, audit }: Pick<Files, 'requestLog' | 'audit'>): readonly Named[] {
  return [
    ...(requestLog === 'off' || requestLog === 'stdout'
      ? []
      : [{ name: 'CLAVIGER_REQUEST_LOG', path: requestLog }]),
    ...(audit.target?.kind === 'file' ? [{ name: 'CLAVIGER_AUDIT', path: audit.target.path }] : []),
  ]
}

/** The names in the data folder that the commands give to files. */
const OWN_NAMES = [
  'claviger.db',
  'claviger.db-journal',
  'claviger.db-lock',
  'claviger.db-shm',
  'claviger.db-wal',
  'dev.env',
  'last-backup.json',
  'operator.json',
  'root.key',
]

/** A file may have several names: by symbolic links, also of its folders, and by hard links. */
function isSameFile(one: string, other: string): boolean {
  const [first, second] = [identityOf(one), identityOf(other)]
  return first !== undefined && second !== undefined ? first === second : realPath(one) === realPath(other)
}

function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    return found === undefined ? undefined : `${found.dev} ${found.ino}`
  } catch {
    // The service itself says what is wrong with a path.
    return undefined
  }
}

/** Of a file that does not exist yet: in the real path of its folder. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(realPath(folder), basename(path))
  }
}
