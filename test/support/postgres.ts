import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from './free-port.ts'

/** Why a test that needs PostgreSQL was skipped, and what to do about it. */
export const postgresMissing =
  'PostgreSQL is not installed here; on Debian: apt-get install postgresql (the server need not be running)'

export function postgresAvailable(): boolean {
  return postgresPrograms() !== undefined && postgresAccount() !== undefined
}

/**
 * The address of an empty database of its own, on a throw-away server that this process shares. The server keeps its
 * data in a temporary folder, syncs as a real one does, and ends with this process however that ends.
 */
export async function freshDatabase(): Promise<string> {
  server ??= startPostgres()
  const { address } = await server
  const name = `test_${(databases += 1)}`
  const client = new pg.Client({ connectionString: `${address}/postgres` })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${name}`)
  } finally {
    await client.end()
  }
  return `${address}/${name}`
}

type PostgresServer = {
  /** `postgres://user@host:port`, without a database. */
  readonly address: string
  /** Of the postmaster that was started first. */
  readonly pid: number
  /**
   * Ends the server by this signal of PostgreSQL (INT: the work under way is broken off; QUIT: as after a crash), and
   * starts it again on its data.
   *
   * @param whileDown  what is done in between
   */
  readonly restart: (by: 'INT' | 'QUIT', whileDown?: () => Promise<void>) => Promise<void>
  /** Ends the server at once and removes its data. */
  readonly stop: () => Promise<void>
}

/** A server of one's own, for tests that break it. `settings` are lines of postgresql.conf, such as `fsync=off`. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const init = ['-U', 'claviger', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  return await startOn(settings, (data) => ['initdb', '-D', data, ...init])
}

/** A standby of a server, which follows it and takes no writes. */
export async function startStandby(
  { address }: PostgresServer,
  settings: readonly string[] = [],
): Promise<PostgresServer> {
  const { hostname, port } = new URL(address)
  const from = ['-h', hostname, '-p', port, '-U', 'claviger']
  return await startOn(settings, (data) => [
    'pg_basebackup',
    '-D',
    data,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
    ...from,
  ])
}

async function startOn(
  settings: readonly string[],
  make: (data: string) => readonly [command: string, ...parts: string[]],
): Promise<PostgresServer> {
  const bin = postgresPrograms()
  const owner = postgresAccount()
  if (bin === undefined || owner === undefined) throw new Error(postgresMissing)

  const folder = mkdtempSync(join(tmpdir(), 'claviger-postgres-'))
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const [command, ...parts] = make(data)
  execFileSync(join(bin, command), parts, { ...owner, cwd: folder, stdio: 'pipe' })

  const port = await freePort()
  const listen = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`]
  // Circles of waiting transactions are met on purpose; the usual second until one is broken would be idle waiting.
  const usual = ['fsync=on', 'synchronous_commit=on', 'deadlock_timeout=20ms']
  // A store has nine connections, and a pool is closed before the server has seen the end of each: a property of twenty
  // runs may meet those of all of them on a busy machine.
  const roomy = ['max_connections=400']
  const options = [...usual, ...roomy, ...listen, ...settings].flatMap((line) => ['-c', line])
  const child = spawn('sh', ['-c', KEEPER, 'keeper', folder, join(bin, 'postgres'), '-D', data, ...options], {
    ...owner,
    cwd: folder,
    // A group of its own: an interrupt at the terminal must not kill the keeper before it has cleaned up.
    detached: true,
    stdio: 'pipe',
  })
  const pid = await readiness(child)
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) if ('unref' in stream) unref(stream)

  return {
    address: `postgres://claviger@127.0.0.1:${port}`,
    pid,
    restart: async (by, whileDown = async () => {}) => {
      child.ref()
      const isDown = said(child, /^down$/m)
      child.stdin.write(`${by}\n`)
      await isDown
      await whileDown()
      const isUp = readiness(child)
      child.stdin.write('start\n')
      await isUp
      child.unref()
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.ref()
      const gone = once(child, 'exit')
      child.stdin.end()
      await gone
    },
  }
}

// The keeper's standard input ends when this process does, by whatever cause; then it ends the server and removes its
// data. Until then it carries the signals of restarts.
const KEEPER = `
folder=$1; shift
"$@" &
server=$!
echo "pid $server"
while read -r signal; do
  kill -$signal $server
  wait $server
  echo down
  read -r start || break
  "$@" &
  server=$!
  echo "pid $server"
done
kill -QUIT $server 2> /dev/null
wait $server
rm -rf "$folder"
`

let server: Promise<PostgresServer> | undefined
let databases = 0

async function readiness(child: ReturnType<typeof spawn>): Promise<number> {
  const [, text] = await Promise.all([
    said(child, /ready to accept (read-only )?connections/),
    said(child, /^pid \d+$/m),
  ])
  return Number(/^pid (\d+)$/m.exec(text)?.[1])
}

/** What the keeper and its server have said from now on, as soon as it has this in it. */
function said(child: ReturnType<typeof spawn>, what: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const end = (settle: () => void): void => {
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', listen).resume()
      child.off('close', gone)
      settle()
    }
    const listen = (chunk: Buffer): void => {
      text += chunk.toString()
      if (what.test(text)) end(() => resolve(text))
    }
    const gone = (): void => end(() => reject(new Error(`PostgreSQL did not start: ${text}`)))
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', listen)
    child.once('close', gone)
  })
}

/** The folder of the newest server that is installed. */
export function postgresPrograms(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root) : []
  return versions
    .filter((version) => existsSync(join(root, version, 'bin', 'postgres')))
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin'))[0]
}

/**
 * Whom the server runs as: PostgreSQL refuses to run as root. Empty when we are not root; undefined when there is
 * nobody.
 */
export function postgresAccount(): { readonly uid?: number; readonly gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  return undefined
}

// The streams of a child with pipes are sockets, which the declarations of Node do not say.
function unref(stream: object): void {
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
}
