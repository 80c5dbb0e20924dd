import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Client, Command } from './languages.ts'
import { ran } from './ran.ts'
import { aRecorder } from './recorder.ts'

/** What stands in a record in the place of an organization and of an API key. */
const SAMPLE = {
  ORGANIZATION_ID: '00000000-0000-4000-8000-000000000000',
  API_PUBLIC_KEY: '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
  API_PRIVATE_KEY: '0000000000000000000000000000000000000000000000000000000000000001',
}

/**
 * Writes down for the contract test what a client sends. The command gets in its environment where to send it.
 *
 * @throws what the command wrote, where it failed
 */
export async function record(language: string, client: Client, command: Command): Promise<string> {
  const recorder = await aRecorder()
  const { code, output } = await ran({ ...command, environment: { ...SAMPLE, BASE_URL: recorder.url } })
  recorder.close()
  if (code !== 0) throw new Error(`${command.program} ended with ${code}: ${output}`)
  const bodies = recorder.sent.map(({ path, body }) => ({
    client: client.name,
    version: client.version,
    path,
    body,
  }))
  const file = fileURLToPath(new URL(`../contract/client-bodies/${language}.json`, import.meta.url))
  writeFileSync(file, `${JSON.stringify(bodies, null, 2)}\n`)
  return `${bodies.length} bodies written down. ${output}`.trim()
}
