import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkWith } from '../support/check-with.ts'
import { refuse } from '../support/given.ts'
import { devEnvOf, runService } from '../support/running-service.ts'
import { type Command, type Language, languages } from './languages.ts'
import { ran } from './ran.ts'
import { record } from './record.ts'

/**
 * Walks through a running service with the published clients of other languages: `npm run languages`, or
 * `npm run languages -- python` for those that are named. A toolchain that is missing is said with how to get it,
 * and is a failure only where its language was named. With `--record` the clients write one request of each
 * operation instead, which are kept for the contract test.
 */
const cache = fileURLToPath(new URL('../../node_modules/.cache/claviger-languages', import.meta.url))
const WALKED_WITHIN_MS = 5 * 60_000

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isRecording = process.argv.includes('--record')
const unknown = named.filter((name) => !languages.some((language) => language.name === name))
if (unknown.length > 0)
  refuse(`there is no walk in ${unknown.join(', ')}: ${languages.map(({ name }) => name).join(', ')}`)

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
  const guide = language.guide?.(folder)
  const guided = guide && (await ran({ ...guide, environment }, WALKED_WITHIN_MS))
  const { code, output } =
    guided === undefined || guided.code === 0
      ? await ran({ ...language.walk(folder), environment }, WALKED_WITHIN_MS)
      : guided
  await service.stop()
  for (const line of output.trimEnd().split('\n')) console.log(`${language.name}: ${line}`)
  return code === 0
    ? { text: 'walked', failed: false }
    : { text: `failed, the walk ended with ${code}`, failed: true }
}

async function recorded({ name, client, walk }: Language, folder: string): Promise<Outcome> {
  if (client === undefined) return { text: 'no published client to record', failed: false }
  const command = walk(folder)
  return { text: await record(name, client, { ...command, args: [...command.args, 'forms'] }), failed: false }
}

async function isThere({ program, args, cwd }: Command): Promise<boolean> {
  try {
    return (await checkWith(program, args, cwd)) === undefined
  } catch {
    // A program that cannot be started is not there.
    return false
  }
}
