import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import pg from 'pg'
import { type Claviger, startClaviger } from '../../../src/host/emulator/start-claviger.ts'
import { eventually } from '../../support/eventually.ts'
import { postgresAvailable, startPostgres } from '../../support/postgres.ts'
import { packagesMissing } from '../../support/packages-missing.ts'
import { ownEnvironment, temporaryFolder } from '../../support/running-service.ts'
import { anS3 } from '../../support/storage/s3-server.ts'
import { type Block, blocksOf, PageProblem } from './blocks.ts'
import { isAsShown } from './expected-output.ts'
import { clone, install, type Installed, LANGUAGES, linkClaviger, npxFolder } from './packages.ts'
import { type Ports, portsOf } from './ports.ts'
import { openTerminal, otherTerminal, type Place } from './terminal.ts'

/** What ran, and what was left out because a program is not here. */
type PageRun = { readonly ran: number; readonly leftOut: readonly string[] }

/**
 * Runs the blocks of a page in their order, in a fresh folder, as a reader would who pastes them. A page that does not
 * start a service itself finds the emulator in its place, with the file of settings that `claviger dev` writes.
 *
 * @param claviger  what `npx claviger` is: the clone unless given
 */
export async function runPage(page: string, claviger: Installed = clone): Promise<PageRun> {
  const blocks = blocksOf(page)
  const database = page.includes(`127.0.0.1:${POSTGRES}`) ? await aDatabase() : undefined
  const storage = page.includes(`127.0.0.1:${S3}`) ? await aStorage() : undefined
  const ports = await portsOf(page, [
    ...(database === undefined ? [] : [[POSTGRES, database.port] as const]),
    ...(storage === undefined ? [] : [[S3, storage.port] as const]),
  ])
  const place = aPlace(ports, claviger)
  const startsOwn = blocks.some(
    ({ is, text }) => is.kind !== 'output' && /claviger (dev|emulate|serve)/.test(text),
  )
  const emulator = startsOwn || claviger !== clone ? undefined : await emulatorIn(place.folder, ports)
  const running = new Run(place, ports)
  try {
    if (!startsOwn && emulator === undefined) for (const block of blocksOf(STARTED)) await running.take(block)
    running.ran = 0
    for (const block of blocks) await running.take(block)
  } finally {
    await running.end()
    await emulator?.close()
    await database?.stop()
    storage?.stop()
  }
  return { ran: running.ran, leftOut: running.leftOut }
}

/** What a page without a service has before it, where Claviger is what npm has installed. */
const STARTED = '```sh background\nnpx claviger dev\n```\n\n```text output\n…\nStop with Ctrl-C. …\n```\n'

/** By the clock of this machine, as the clients of the page are. */
async function emulatorIn(folder: string, { service }: Ports): Promise<Claviger> {
  const emulator = await startClaviger({ port: Number(service), clock: 'real' })
  const { root, serviceKeys } = emulator
  const keys = Object.entries(serviceKeys)
    .filter(([, key]) => typeof key === 'string')
    .map(([name, key]) => `${name.toUpperCase()}_PUBLIC_KEY=${key}`)
  mkdirSync(join(folder, '.claviger'))
  const lines = [`ROOT_USER_ID=${root.userId}`, ...keys]
  writeFileSync(join(folder, '.claviger', 'dev.env'), `${root.env()}${lines.join('\n')}\n`, { mode: 0o600 })
  return emulator
}

const POSTGRES = '5432'

/** The database `claviger` of a server of the page's own; none where PostgreSQL is not installed. */
async function aDatabase(): Promise<
  { readonly port: string; readonly stop: () => Promise<void> } | undefined
> {
  if (!postgresAvailable()) return undefined
  const server = await startPostgres()
  const client = new pg.Client({ connectionString: `${server.address}/postgres` })
  await client.connect()
  await client.query('CREATE DATABASE claviger')
  await client.end()
  return { port: new URL(server.address).port, stop: server.stop }
}

const S3 = '9000'

/** S3-compatible storage with a bucket `archives`; none where its client is not installed. */
async function aStorage(): Promise<{ readonly port: string; readonly stop: () => void } | undefined> {
  if (packagesMissing('s3') !== false) return undefined
  const stops: (() => void)[] = []
  const { url } = await anS3({ after: (stop) => stops.push(stop) })
  return {
    port: new URL(url).port,
    stop: () => {
      for (const stop of stops) stop()
    },
  }
}

/** An empty folder with nothing but `npx claviger`, under a home of its own. */
function aPlace({ service }: Ports, claviger: Installed): Place {
  const home = temporaryFolder()
  const [folder, aside, bin] = ['work', 'aside', 'bin'].map((name) => join(home, name))
  if (folder === undefined || aside === undefined || bin === undefined) throw new Error('three folders')
  for (const one of [folder, aside, bin]) mkdirSync(one)
  linkClaviger(folder, claviger)
  const { PATH = '', HOME = '', GOCACHE = join(HOME, '.cache', 'go-build') } = ownEnvironment()
  const path = [npxFolder(bin), dirname(process.execPath), PATH]
  const environment = {
    HOME: home,
    // What Go has compiled of its own library serves every home.
    GOCACHE,
    // The interpreter of the packages that pages on Python install.
    PYTHON_PACKAGES: join(LANGUAGES, 'python', 'bin', 'python'),
    PATH: path.join(delimiter),
    CLAVIGER_PORT: service,
    CLAVIGER_DRAIN_SECONDS: '0',
  }
  return { folder, aside, environment }
}

type Written = {
  readonly output: () => string
  readonly goesOn: boolean
  readonly hasEnded: () => boolean
}

class Run {
  readonly #place: Place
  readonly #ports: Ports
  readonly #terminal: ReturnType<typeof openTerminal>
  readonly #others: { readonly text: string; readonly started: ReturnType<typeof otherTerminal> }[] = []
  /** What the block before has written, or goes on writing. */
  #written: Written | undefined
  #wasLeftOut = false
  ran = 0
  readonly leftOut: string[] = []

  constructor(place: Place, ports: Ports) {
    this.#place = place
    this.#ports = ports
    this.#terminal = openTerminal(place)
  }

  async take(block: Block): Promise<void> {
    if (block.is.kind === 'output' && this.#wasLeftOut) return
    this.#wasLeftOut = await this.#isLeftOut(block)
    if (this.#wasLeftOut) return
    this.ran += 1
    try {
      await this.#do(block)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new PageProblem(`line ${block.line}: ${reason}\n\n${block.text}`)
    }
  }

  async end(): Promise<void> {
    this.#terminal.close()
    for (const { started } of this.#others) started.killGroup()
    await Promise.all(this.#others.map(async ({ started }) => await started.ended))
  }

  async #isLeftOut({ needs, line }: Block): Promise<boolean> {
    if (needs === undefined) return false
    const { code } = await this.#terminal.run(this.#ports.toFree(needs), { mayFail: true })
    if (code !== 0) this.leftOut.push(`line ${line}: here "${needs}" fails`)
    return code !== 0
  }

  async #do({ is, text, line }: Block): Promise<void> {
    const own = this.#ports.toFree(text)
    if (is.kind === 'file') this.#write(is.name, own)
    else if (is.kind === 'install') await this.#install(text)
    else if (is.kind === 'commands') await this.#command(own, is.fails)
    else if (is.kind === 'background') {
      if (is.restarts) await this.#stopLast()
      const started = otherTerminal(this.#place, `other-${line}`, own)
      this.#others.push({ text, started })
      this.#written = writtenBy(started)
    } else if (is.kind === 'output') await this.#compare(text, this.#writtenIn(is.of))
  }

  /** As Ctrl-C does. */
  async #stopLast(): Promise<void> {
    const last = this.#others.at(-1)?.started
    if (last === undefined) throw new PageProblem('nothing was started that could be stopped')
    process.kill(-last.pid, 'SIGINT')
    await last.ended
  }

  #writtenIn(name: string | undefined): Written {
    const other = this.#others.find(({ text }) => name !== undefined && text.includes(name))
    const written = name === undefined ? this.#written : other && writtenBy(other.started)
    if (written === undefined) throw new PageProblem('there is no command whose output this is')
    return written
  }

  #write(name: string, text: string): void {
    const path = join(this.#place.folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

  /** What `install` leaves is done in the terminal. */
  async #install(text: string): Promise<void> {
    const left = install(this.#place.folder, text)
    if (left !== '') await this.#command(left, false)
  }

  async #command(text: string, fails: boolean): Promise<void> {
    const { code, output } = await this.#terminal.run(text, { mayFail: fails })
    this.#written = { output: () => output, goesOn: false, hasEnded: () => true }
    if (fails === (code !== 0)) return
    throw new PageProblem(
      fails ? `the commands succeed:\n${output}` : `the commands fail (${code}):\n${output}`,
    )
  }

  async #compare(shown: string, { output, goesOn, hasEnded }: Written): Promise<void> {
    const written = () => this.#ports.toShown(output())
    const isThere = () => isAsShown(shown, written(), { goesOn })
    const failure = () => `the output is not as shown, but:\n${written()}`
    await eventually(() => isThere() || hasEnded(), failure)
    if (!isThere()) throw new PageProblem(failure())
  }
}

function writtenBy({ ended, output }: ReturnType<typeof otherTerminal>): Written {
  let hasEnded = false
  // Only then has everything come that it wrote.
  void ended.then(() => {
    hasEnded = true
  })
  return { output, goesOn: true, hasEnded: () => hasEnded }
}
