import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../../../../test/support/running-service.ts'
import { aService, type Member, type TestService } from '../../../../../test/support/service.ts'
import { stampKeyFrom } from '../../../../../test/support/stamper.ts'
import { agent } from '../../agent.ts'
import type { Terminal } from '../terminal.ts'

/** A service, and a person at a terminal who runs `claviger agent` in a folder of their own. */
type WithAgents = {
  readonly service: TestService
  readonly folder: string
  /** Runs the command as this user; returns its output and its exit code. */
  readonly run: (
    by: Member,
    ...args: readonly string[]
  ) => Promise<{ readonly code: number; readonly text: string }>
  /** The same for a command that must succeed: its output. */
  readonly ran: (by: Member, ...args: readonly string[]) => Promise<string>
  /** The agent with the key of its file. */
  readonly agentCalled: (name: string) => Member
  /** The lines of its file. */
  readonly fileOf: (name: string) => { readonly [name: string]: string }
}

/** @param confirms  the answer to every question; without it no person can be asked */
export async function withAgents(confirms?: boolean): Promise<WithAgents> {
  const service = await aService()
  const folder = temporaryFolder()
  const run: WithAgents['run'] = async (by, ...args) => {
    // Two requests with the same instant and content would be the same request.
    service.world.advance(1)
    let text = ''
    const terminal: Terminal = {
      randomBytes: service.world.randomBytes,
      elapsed: service.world.elapsed,
      now: () => {
        service.world.advance(1)
        return service.world.now()
      },
      write: (written) => {
        text += written
      },
      warn: (written) => {
        text += written
      },
      tell: () => undefined,
      confirms: confirms === undefined ? undefined : async () => confirms,
      folder,
      environment: {},
    }
    const code = await agent([...args, '--as', keyFile(service, folder, by)], terminal)
    return { code, text }
  }
  const fileOf: WithAgents['fileOf'] = (name) =>
    Object.fromEntries(
      readFileSync(join(folder, `${name}.agent.env`), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    )
  return {
    service,
    folder,
    run,
    ran: async (by, ...args) => {
      const { code, text } = await run(by, ...args)
      if (code !== 0) throw new Error(text)
      return text
    },
    fileOf,
    agentCalled: (name) => {
      const { ORGANIZATION_ID = '', USER_ID = '', API_PRIVATE_KEY = '' } = fileOf(name)
      const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', () => Buffer.from(API_PRIVATE_KEY, 'hex'))
      return { organizationId: ORGANIZATION_ID, userId: USER_ID, key }
    },
  }
}

function keyFile({ baseUrl }: TestService, folder: string, { organizationId, userId, key }: Member): string {
  const path = join(folder, `${userId}.env`)
  const lines = [
    `BASE_URL=${baseUrl}`,
    `ORGANIZATION_ID=${organizationId}`,
    `API_PRIVATE_KEY=${Buffer.from(key.privateKey).toString('hex')}`,
  ]
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 })
  return path
}
