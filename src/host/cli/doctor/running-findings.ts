import { checkPort } from '../../app/check-port.ts'
import type { Config } from '../../app/config.ts'
import { ConfigError } from '../../app/config-error.ts'
import { readOperatorFile } from '../../app/operator-file.ts'
import type { Finding } from './finding.ts'

const ANSWER_MS_MAX = 5_000

/** Whether a service runs here with this configuration, and its report about itself. */
type Running = { readonly isRunning: boolean; readonly findings: readonly Finding[] }

/** @throws nothing: a missing answer is a finding */
export async function running(config: Config): Promise<Running> {
  // The embedded store belongs to one service, which leaves its address.
  const url = config.databaseUrl === undefined ? readOperatorFile(config)?.url : urlOf(config)
  const isRunning = url !== undefined && (await isClaviger(url))
  if (!isRunning) return { isRunning, findings: [await portFinding(config)] }
  return {
    isRunning,
    findings: [{ mark: 'ok', text: `a service runs at ${url}` }, await readyFinding(config, url)],
  }
}

async function isClaviger(url: string): Promise<boolean> {
  const front = await answerOf(url)
  return front !== undefined && front.text.includes('"Claviger')
}

async function readyFinding({ operator }: Config, url: string): Promise<Finding> {
  const watched = operator.port === undefined ? url : `http://${addressOf(operator.host)}:${operator.port}`
  const ready = await answerOf(`${watched}/readyz`)
  if (ready?.status === 200) return { mark: 'ok', text: 'its store takes writes and its vault answers' }
  if (ready === undefined) return { mark: '!!', text: `it does not answer at ${watched}/readyz` }
  return { mark: '!!', text: `it says ${ready.status} at ${watched}/readyz: ${ready.text.slice(0, 200)}` }
}

async function portFinding(config: Config): Promise<Finding> {
  try {
    await checkPort(config)
    return { mark: 'ok', text: `no service runs, and ${config.host}:${config.port} is free for one` }
  } catch (error) {
    if (error instanceof ConfigError) return { mark: '!!', text: error.problems.join('; ') }
    throw error
  }
}

function urlOf({ host, port }: Config): string {
  return `http://${addressOf(host)}:${port}`
}

/** A service that listens on every interface can be reached here. */
function addressOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

async function answerOf(
  url: string,
): Promise<{ readonly status: number; readonly text: string } | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX), redirect: 'error' })
    return { status: answer.status, text: await answer.text() }
  } catch {
    // No program listens there, or it hangs: the caller decides which of both matters.
    return undefined
  }
}
