import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHash, sign } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { LoadOrder } from './load.ts'
import type { LoadReport } from './offer.ts'
import { apiPrivateKey } from './raw-limits.ts'

export type BenchService = {
  readonly pid: number
  readonly settings: Readonly<Record<string, string>>
  readonly port: number
  /** The user that the service was made for. */
  readonly root: Signer
  readonly submit: (operation: string, type: string, parameters: object, as?: Signer) => Promise<Answer>
  readonly stop: () => Promise<void>
}

export type Signer = {
  readonly organizationId: string
  readonly publicKey: string
  readonly privateKey: string
}
type Answer = {
  readonly activity: { readonly result: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
}

/**
 * The service as it is run, in development mode on a folder and port of its own.
 *
 * @param prepare  is given the environment of the service before it starts
 * @param program  the command of another checkout, to be measured beside this one
 */
export async function startBenchService(
  environment: Record<string, string>,
  prepare: (environment: NodeJS.ProcessEnv) => void = () => {},
  program: string = CLAVIGER,
): Promise<BenchService> {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-bench-'))
  const env = {
    ...process.env,
    CLAVIGER_DATA: folder,
    CLAVIGER_PORT: '0',
    CLAVIGER_RATE_LIMITS: 'off',
    ...environment,
  }
  prepare(env)
  const child = spawn(process.execPath, [program, 'dev'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await greeting(child)
  const settings = Object.fromEntries(
    readFileSync(join(folder, 'dev.env'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => {
        const at = line.indexOf('=')
        return [line.slice(0, at), line.slice(at + 1)]
      }),
  )
  const text = (name: string): string => settings[name] ?? ''
  const root = {
    organizationId: text('ORGANIZATION_ID'),
    publicKey: text('API_PUBLIC_KEY'),
    privateKey: text('API_PRIVATE_KEY'),
  }
  return {
    pid: child.pid ?? 0,
    settings,
    port: Number(new URL(text('BASE_URL')).port),
    root,
    submit: (operation, type, parameters, as = root) =>
      submit(text('BASE_URL'), operation, type, parameters, as),
    stop: async () => {
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
      rmSync(folder, { recursive: true })
    },
  }
}

export const CLAVIGER = fileURLToPath(new URL('../bin/claviger.js', import.meta.url))

/** Sends a load from a process of its own, between two readings of the caller's. */
export async function sendLoad(
  order: LoadOrder,
  measured: { readonly before: () => void },
): Promise<LoadReport> {
  const child = fork(fileURLToPath(new URL('./load.ts', import.meta.url)), { stdio: 'inherit' })
  child.send(order)
  await new Promise((resolve) => child.once('message', resolve))
  measured.before()
  child.send('go')
  // The generator answers with its report and nothing else.
  return await new Promise<LoadReport>((resolve) =>
    child.once('message', (report) => resolve(report as LoadReport)),
  )
}

async function submit(
  url: string,
  operation: string,
  type: string,
  parameters: object,
  as: Signer,
): Promise<Answer> {
  const body = JSON.stringify({
    type,
    timestampMs: String(Date.now()),
    organizationId: as.organizationId,
    parameters,
  })
  const signature = sign(
    'sha256',
    Buffer.from(body),
    apiPrivateKey(Buffer.from(as.privateKey, 'hex')),
  ).toString('hex')
  const json = JSON.stringify({ publicKey: as.publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature })
  const response = await fetch(`${url}/public/v1/submit/${operation}`, {
    method: 'POST',
    body,
    headers: { 'X-Stamp': Buffer.from(json).toString('base64url') },
  })
  if (!response.ok) throw new Error(`${operation}: ${response.status} ${await response.text()}`)
  // The service answers an activity.
  return (await response.json()) as Answer
}

function greeting(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Stop with Ctrl-C')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${output}`)))
  })
}

/** A secret that is the same in every run, for a name. */
export function secretOf(name: string): Buffer {
  return createHash('sha256').update(name).digest()
}
