import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Progress, Purpose } from '../../seals/shamir/collect-shares.ts'
import { fileTrouble } from '../../trusted/base/file-trouble.ts'
import { readConfig } from '../app/config.ts'
import type { Environment } from '../app/settings/settings-source.ts'
import { readArguments } from './arguments.ts'
import { CommandError } from './command-error.ts'
import { printable, printableJson } from './policies/printable.ts'
import { readSecretFile } from './read-file.ts'
import { ServiceUnreachable } from './signed-query.ts'
import type { ExitCode } from './exit-codes.ts'

/** `claviger unseal`: one share of one person, typed without an echo, or read from a file or from standard input. */
export async function unsealCommand(
  environment: Environment,
  workingFolder: string,
  args: readonly string[],
): Promise<ExitCode<'unseal'>> {
  const values = readArguments(args, {
    socket: { type: 'string' },
    'share-file': { type: 'string' },
    json: { type: 'boolean' },
  })
  const path = values.socket ?? readConfig(environment, workingFolder).unseal.socketPath
  const shown = await collectorAt(path)
  shown.socket.destroy()
  const file = values['share-file']
  const share = file === undefined ? await asked(shown.progress) : readSecretFile(file, SHARE)
  if (share.trim() === '') throw new CommandError('there was no share in the input: nothing was given')
  // A person may type for longer than a connection stays open, and than the process waits.
  const { socket, progress, next } = await collectorAt(path)
  if (progress.purpose !== shown.progress.purpose) {
    socket.destroy()
    throw new CommandError(`the process that waits at ${path} has another purpose now: nothing was given`)
  }
  socket.write(`${share.trim().replaceAll(/\s+/g, ' ')}\n`)
  const after = await next()
  socket.end()
  tell(after, values.json === true)
  return after.refused === undefined ? 0 : 1
}

const SHARE = { holds: 'a share', instead: 'give the share at the prompt instead' }

type Collector = {
  readonly socket: Socket
  readonly progress: Progress
  readonly next: () => Promise<Progress>
}

/**
 * The process that collects shares at this socket.
 *
 * @throws ServiceUnreachable
 * @throws CommandError  if this user has no right to the socket, or there can be none at this path
 */
async function collectorAt(path: string): Promise<Collector> {
  const socket = connect(path)
  await once(socket, 'connect').catch((error: unknown) => {
    throw notConnected(path, error)
  })
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const next = async (): Promise<Progress> => {
    const { value } = await lines.next()
    if (typeof value !== 'string')
      throw new ServiceUnreachable(`no process waits for shares at ${path} any more`)
    // `collectShares` wrote it.
    return JSON.parse(value) as Progress
  }
  socket.on('error', (error) => socket.destroy(error))
  const progress = await next().catch(() => {
    throw new ServiceUnreachable(`no process waits for shares at ${path}`)
  })
  return { socket, progress, next }
}

/** Only a socket that is missing, or that its process has left behind, may have a process later. */
function notConnected(path: string, error: unknown): Error {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  const trouble = isMissing ? undefined : fileTrouble(error)
  return trouble === undefined
    ? new ServiceUnreachable(`no process waits for shares at ${path}`)
    : new CommandError(`${path}: ${trouble}`)
}

function tell({ given, needed, purpose, refused }: Progress, isJson: boolean): void {
  if (isJson) process.stdout.write(`${printableJson({ given, needed, purpose, refused: refused ?? null })}\n`)
  else if (refused !== undefined) process.stdout.write(`NOT taken: ${printable(refused)}\n`)
  else
    process.stdout.write(
      given === needed ? DONE[purpose] : `Taken: ${given} of ${needed} shares were given.\n`,
    )
}

/** Sent before the waiting process has opened anything: whether it could, its own output says. */
const DONE: { readonly [P in Purpose]: string } = {
  open: 'That was the last share: the root key is opened with it now.\n',
  rehearse: 'That was the last share: the rehearsal says whether they fit.\n',
  recover: 'That was the last share: the root key is recovered with it now.\n',
  begin: 'That was the last share: the recovery of the organization is requested.\n',
  complete: 'That was the last share: the completion is requested.\n',
}

/** Shown before a share is given: a share for a rehearsal must not be used for a recovery, nor the other way round. */
const FOR: { readonly [P in Purpose]: string } = {
  open: 'This opens the root key for a start of the service.',
  rehearse: 'This is a rehearsal: nothing is handed over.',
  recover: 'This RECOVERS the root key, and every root user is told.',
  begin:
    'This BEGINS to add root users to an organization: after a delay, of which all its root users are told.',
  complete: 'This ADDS ROOT USERS to an organization, after the delay of its recovery.',
}

/** Without an echo at a terminal. An input that ends at once has no share. */
async function asked({ given, needed, purpose }: Progress): Promise<string> {
  const { stdin, stderr } = process
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: hidden, terminal: stdin.isTTY })
  if (stdin.isTTY)
    stderr.write(`${FOR[purpose]}\n${given} of ${needed} shares were given. Yours (it is not shown): `)
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    return await Promise.race([lines.question(''), ended])
  } finally {
    lines.close()
    if (stdin.isTTY) stderr.write('\n')
  }
}
