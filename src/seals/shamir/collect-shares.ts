import { rmSync, statSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'
import { shareText } from './share-set.ts'

/**
 * The purpose of the shares: to open the root key at a start; to rehearse its recovery, or that of an organization; to
 * recover the root key; to begin the recovery of an organization, or to complete it.
 */
export type Purpose = 'open' | 'rehearse' | 'recover' | 'begin' | 'complete'

/** Sent to each person who connects, and after each share. */
export type Progress = {
  readonly given: number
  readonly needed: number
  readonly purpose: Purpose
  readonly refused?: string
}

type Collecting = {
  readonly path: string
  /** The group of the socket's folder may connect too. */
  readonly forGroup: boolean
  readonly needed: number
  readonly purpose: Purpose
  /** The reason why a share is refused. */
  readonly trouble: (share: string, given: ReadonlySet<string>) => string | undefined
  /** The time after the last share at which all shares are forgotten. */
  readonly forgetMs: number
  /** People can connect from now on. */
  readonly onListening: () => void
}

/** An idle connection is closed, so that others can connect. */
const CONNECTIONS_MAX = 16
const SILENT_MS_MAX = 5 * 60_000
const TYPED_CHARACTERS_MAX = 1_000
const TRIES_MAX = 10

/**
 * Waits on a Unix socket until enough shares were given, by any number of people.
 *
 * @throws RootKeyError where another process already waits there
 */
export async function collectShares({
  path,
  forGroup,
  needed,
  purpose,
  trouble,
  forgetMs,
  onListening,
}: Collecting): Promise<readonly string[]> {
  await removeStale(path)
  return await new Promise((resolve, reject) => {
    const given = new Set<string>()
    const people = new Set<Socket>()
    let forgetting: NodeJS.Timeout | undefined
    const taken = (typed: string): Progress => {
      const share = shareText(typed)
      const refused = given.size === needed ? 'enough shares were given already' : trouble(share, given)
      if (refused !== undefined) return { given: given.size, needed, purpose, refused }
      given.add(share)
      clearTimeout(forgetting)
      forgetting = setTimeout(() => given.clear(), forgetMs)
      return { given: given.size, needed, purpose }
    }
    const server = createServer((person) => {
      if (people.size >= CONNECTIONS_MAX) [...people][0]?.destroy()
      people.add(person)
      person.on('close', () => people.delete(person))
      // A person who has disconnected gets no message.
      person.on('error', () => person.destroy())
      person.setTimeout(SILENT_MS_MAX, () => person.destroy())
      person.write(line({ given: given.size, needed, purpose }))
      eachLine(person, (typed) => {
        const progress = taken(typed)
        person.write(line(progress), () => {
          if (progress.given === needed && server.listening) end([...given])
        })
        return progress.refused === undefined
      })
    })
    const end = (shares: readonly string[]): void => {
      clearTimeout(forgetting)
      server.close()
      for (const person of people) person.end()
      resolve(shares)
    }
    server.on('error', (error) => reject(new RootKeyError(`shares cannot be taken: ${error.message}`)))
    server.on('listening', onListening)
    // The socket is created in this call, so it never exists with another mode.
    const before = process.umask(forGroup ? 0o117 : 0o177)
    server.listen(path)
    process.umask(before)
  })
}

/** Passes on each complete line, up to a limit of wrong ones. */
function eachLine(person: Socket, take: (typed: string) => boolean): void {
  let rest = ''
  let wrong = 0
  person.setEncoding('utf8')
  person.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const typed of lines) if (!person.destroyed && !take(typed) && ++wrong >= TRIES_MAX) person.destroy()
    if (rest.length > TYPED_CHARACTERS_MAX) person.destroy()
  })
}

function line(progress: Progress): string {
  return `${JSON.stringify(progress)}\n`
}

/** A killed process leaves its socket behind; connecting to it fails. */
async function removeStale(path: string): Promise<void> {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket()) throw new RootKeyError(`shares cannot be taken at ${path}: it is no socket`)
  const answers = await new Promise<boolean>((resolve) => {
    const other = connect(path, () => {
      other.destroy()
      resolve(true)
    })
    other.on('error', () => resolve(false))
  })
  if (answers) throw new RootKeyError(`another process waits for shares at ${path}`)
  rmSync(path)
}
