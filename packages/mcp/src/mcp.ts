import { randomBytes } from 'node:crypto'
import { setTimeout as pauseFor } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { startHttpServer } from './http-server.ts'
import { credentialsFrom } from './key-file.ts'
import { mcpServers } from './server.ts'
import type { Surroundings } from './service.ts'
import { ArgumentError, UsageError } from './usage-error.ts'

const PORT_DEFAULT = 4480
const PORT_MAX = 65_535

const surroundings: Surroundings = {
  now: Date.now,
  pause: async (ms, signal) => {
    await pauseFor(ms, undefined, signal === undefined ? {} : { signal })
  },
}

/**
 * `claviger mcp [--as FILE] [--http [--port N]]`: serves over stdio until its input ends, or over HTTP until a signal.
 * Over stdio the standard output belongs to the protocol; what people are told goes to standard error.
 *
 * @returns the exit code
 */
export async function mcp(args: readonly string[]): Promise<number> {
  try {
    const { as: file, http, port } = readArguments(args)
    const servers = mcpServers(credentialsFrom(file, process.env), surroundings)
    if (http) await serveHttp(servers, port)
    else await serveStandardStreams(servers)
    return 0
  } catch (error) {
    if (!isForPeople(error)) throw error
    process.stderr.write(`claviger mcp: ${error.message}\n`)
    return error instanceof ArgumentError ? 2 : 1
  }
}

function readArguments(args: readonly string[]) {
  const { as, http = false, port } = parsed(args)
  if (port !== undefined && !http) throw new ArgumentError('--port goes with --http')
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= PORT_MAX))
    throw new ArgumentError(`--port is no port: ${port}`)
  return { as, http, port: port === undefined ? PORT_DEFAULT : Number(port) }
}

function parsed(args: readonly string[]) {
  const { values, tokens } = wordsOf(args)
  // An unset variable of a script.
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'string' && value.trim() === '')
      throw new ArgumentError(`--${name} is empty: give it a value, or leave it out`)
  const valued = tokens.flatMap((token) =>
    token.kind === 'option' && token.value !== undefined ? [token.name] : [],
  )
  // Of two key files, one would be dropped without a word, and perhaps the one with the narrower limits.
  const twice = valued.find((name, at) => valued.indexOf(name) < at)
  if (twice !== undefined) throw new ArgumentError(`--${twice} is given twice: give it once`)
  return values
}

function wordsOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { as: { type: 'string' }, http: { type: 'boolean' }, port: { type: 'string' } },
      tokens: true,
    })
  } catch (error) {
    throw new ArgumentError(error instanceof Error ? error.message : String(error))
  }
}

/** What the system refuses, from a missing file to a taken port, names the call and the path itself. */
function isForPeople(error: unknown): error is Error {
  return error instanceof UsageError || (error instanceof Error && 'syscall' in error)
}

async function serveStandardStreams(servers: ReturnType<typeof mcpServers>): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    // A pipe that breaks is closed without an end, and a file ends without being closed.
    for (const last of ['close', 'end']) process.stdin.once(last, () => resolve())
  })
  const handle = serveStdio(servers, { onerror: tellError })
  await Promise.race([ended, untilSignal()])
  await handle.close()
}

async function serveHttp(servers: ReturnType<typeof mcpServers>, port: number): Promise<void> {
  const chosen = process.env['CLAVIGER_MCP_TOKEN']
  if (chosen !== undefined && !/^[\x21-\x7e]{32,}$/.test(chosen))
    throw new UsageError('CLAVIGER_MCP_TOKEN has fewer than 32 characters, or others than visible ASCII')
  const token = chosen ?? randomBytes(32).toString('base64url')
  const { url, close } = await startHttpServer(servers, { port, token, onError: tellError })
  process.stderr.write(`claviger mcp: listening on ${url}\n`)
  if (chosen === undefined) process.stderr.write(`claviger mcp: token ${token}\n`)
  await untilSignal()
  await close()
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
    // The launcher that started this process with a channel to it is gone.
    process.once('disconnect', () => resolve())
  })
}

function tellError(error: unknown): void {
  process.stderr.write(`claviger mcp: ${error instanceof Error ? error.message : String(error)}\n`)
}
