import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkWith } from '../support/check-with.ts'
import { devEnvOf, runService, type Settings, start } from '../support/running-service.ts'
import { type Command, type Language, languages } from './languages.ts'
import { aRecorder } from './recorder.ts'

/**
 * Walks through a running service with the published clients of other languages: `npm run languages`, or
 * `npm run languages -- python` for those that are named. A toolchain that is missing is said with how to get it,
 * and is a failure only where its language was named. With `--record` the clients write one request of each
 * operation instead, which are kept for the contract test.
 */
const cache = fileURLToPath(new URL('../../node_modules/.cache/claviger-languages', import.meta.url))
const records = fileURLToPath(new URL('../contract/client-bodies', import.meta.url))
const WALKED_WITHIN_MS = 5 * 60_000

/** What stands in a record in the place of an organization and of an API key. */
const SAMPLE: Settings = {
  ORGANIZATION_ID: '00000000-0000-4000-8000-000000000000',
  API_PUBLIC_KEY: '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
  API_PRIVATE_KEY: '0000000000000000000000000000000000000000000000000000000000000001',
}

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isRecording = process.argv.includes('--record')
const unknown = named.filter((name) => !languages.some((language) => language.name === name))
if (unknown.length > 0) throw new Error(`there is no walk in ${unknown.join(', ')}`)

const outcomes: string[] = []
for (const language of languages) {
  if (named.length > 0 && !named.includes(language.name)) continue
  const outcome = await outcomeOf(language)
  if (outcome.failed) process.exitCode = 1
  outcomes.push(`${language.name}: ${outcome.text}`)
}
for (const line of outcomes) console.log(line)

type Outcome = { readonly text: string; readonly failed: boolean }

async function outcomeOf(language: Language): Promise<Outcome> {
  if (!(await isThere(language.toolchain)))
    return { text: `missing, get ${language.howToGetIt}`, failed: named.length > 0 }
  const folder = join(cache, language.name)
  for (const { program, args, cwd, environment = {} } of language.prepare(folder)) {
    const { code, output } = await ran({ program, args, cwd, environment })
    if (code !== 0)
      return { text: `not built: ${program} ${args.join(' ')} ended with ${code}\n${output}`, failed: true }
  }
  return isRecording ? await recorded(language, folder) : await walked(language, folder)
}

async function walked(language: Language, folder: string): Promise<Outcome> {
  const service = await runService('dev')
  const environment = { ...devEnvOf(service.dataFolder), BASE_URL: service.url }
  const { code, output } = await ran({ ...language.walk(folder), environment }, WALKED_WITHIN_MS)
  await service.stop()
  for (const line of output.trimEnd().split('\n')) console.log(`${language.name}: ${line}`)
  return code === 0
    ? { text: 'walked', failed: false }
    : { text: `failed, the walk ended with ${code}`, failed: true }
}

async function recorded(language: Language, folder: string): Promise<Outcome> {
  const { client } = language
  if (client === undefined) return { text: 'no published client to record', failed: false }
  const recorder = await aRecorder()
  const walk = language.walk(folder)
  const environment = { ...SAMPLE, BASE_URL: recorder.url }
  const { code, output } = await ran({ ...walk, args: [...walk.args, 'forms'], environment })
  recorder.close()
  if (code !== 0) return { text: `not recorded: ${output}`, failed: true }
  const bodies = recorder.sent.map(({ path, body }) => ({
    client: client.name,
    version: client.version,
    path,
    body,
  }))
  writeFileSync(join(records, `${language.name}.json`), `${JSON.stringify(bodies, null, 2)}\n`)
  return { text: `${bodies.length} bodies written down. ${output}`, failed: false }
}

async function isThere({ program, args, cwd }: Command): Promise<boolean> {
  try {
    return (await checkWith(program, args, cwd)) === undefined
  } catch {
    // A program that cannot be started is not there.
    return false
  }
}

async function ran(
  { program, args, cwd, environment = {} }: Command,
  withinMs?: number,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { ended, output, killGroup } = start(args, environment, { program, cwd })
  const timer = withinMs === undefined ? undefined : setTimeout(killGroup, withinMs)
  const code = await ended
  clearTimeout(timer)
  return { code, output: output() }
}
