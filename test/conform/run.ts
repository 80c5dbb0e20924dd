import { spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { documented } from '../contract/documented.ts'
import { countGiven } from '../support/given.ts'
import { aService } from '../support/service.ts'
import { fill } from './fill.ts'
import { howToGetIt, pythonIn } from './python.ts'
import { stampingProxy } from './stamping-proxy.ts'
import { withKnown } from './with-known.ts'

/**
 * Whether what others build from our OpenAPI document works against a running service: clients that are generated in
 * Python and TypeScript, and requests that Schemathesis makes up for every operation, each answer of which has to be as
 * documented. It fails when a part has failed, and also when a part could not run: it names the tool that is missing.
 *
 *     npm run conform [cases of each query, 20 unless told]
 */
const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const cases = countGiven(process.argv[2] ?? '20', 'cases')
const python = pythonIn(root, process.env['CLAVIGER_PYTHON'])
const OPENAPI_TYPESCRIPT = 'openapi-typescript@7.13.0'

const scratch = mkdtempSync(join(tmpdir(), 'claviger-conform-'))
const service = await aService()
const proxy = await stampingProxy(service)
const outcomes: { readonly what: string; readonly outcome: string }[] = []
try {
  const ids = await fill(service)
  const document = join(scratch, 'openapi.json')
  writeFileSync(document, JSON.stringify(documented))
  const subject = [proxy.url, service.organizationId] as const

  await part('a client from openapi-python-client', byPython('openapi_python_client'), async () => {
    const generate = ['-m', 'openapi_python_client', 'generate', '--meta', 'none', '--fail-on-warning']
    const into = ['--path', document, '--output-path', join(scratch, 'claviger_client')]
    return (
      (await ran(python, [...generate, ...into])) &&
      (await ran(python, [join(here, 'walk.py'), scratch, ...subject]))
    )
  })
  await part('a client from openapi-typescript', byNpx(OPENAPI_TYPESCRIPT), async () => {
    copyFileSync(join(here, 'typed-walk.ts.txt'), join(scratch, 'walk.ts'))
    const tsc = [
      join(root, 'node_modules/typescript/bin/tsc'),
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--target',
      'es2024',
    ]
    const modules = ['--module', 'nodenext', '--allowImportingTsExtensions', '--skipLibCheck']
    const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node']
    writeFileSync(join(scratch, 'package.json'), '{"type":"module"}')
    return (
      (await ran('npx', ['--yes', OPENAPI_TYPESCRIPT, document, '-o', join(scratch, 'claviger.ts')])) &&
      (await ran(process.execPath, [...tsc, ...modules, ...types, join(scratch, 'walk.ts')])) &&
      (await ran(process.execPath, [join(scratch, 'walk.ts'), ...subject]))
    )
  })
  for (const [what, path, operations, phases] of [
    ['every query', 'query', '', 'coverage,fuzzing'],
    // What covers every field would mostly be refused before it is carried out. What deletes comes last: the others
    // would find nothing of what they name.
    ['every other activity', 'submit', '(?!delete_)', 'fuzzing'],
    ['every activity that deletes', 'submit', 'delete_', 'fuzzing'],
  ] as const)
    await part(`Schemathesis over ${what}`, byPython('schemathesis.cli'), async () => {
      const checks =
        'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,unsupported_method'
      const only = ['--include-path-regex', `^/public/v1/${path}/${operations}`, '--phases', phases]
      const made = ['--max-examples', String(cases), '--generation-database', 'none', '--continue-on-failure']
      const named = join(scratch, `${path}.json`)
      writeFileSync(named, withKnown({ ...ids, timestampMs: String(Date.now()) }))
      const run = ['-m', 'schemathesis.cli', 'run', named, '--url', proxy.url, '--checks', checks]
      return await ran(python, [...run, ...only, ...made])
    })
} finally {
  proxy.close()
  await service.close()
  rmSync(scratch, { recursive: true, force: true })
}
for (const { what, outcome } of outcomes) console.log(`${outcome}: ${what}`)
if (outcomes.some(({ outcome }) => outcome !== 'passed')) process.exitCode = 1

type Tool = { readonly isThere: () => Promise<boolean>; readonly howToGetIt: string }

async function part(what: string, tool: Tool, run: () => Promise<boolean>): Promise<void> {
  console.log(`\n== ${what}`)
  const outcome = (await tool.isThere())
    ? (await run())
      ? 'passed'
      : 'FAILED'
    : `missing, ${tool.howToGetIt}`
  outcomes.push({ what, outcome })
}

function byPython(module: string): Tool {
  return { isThere: () => ran(python, ['-c', `import ${module}`], 'ignore'), howToGetIt }
}

function byNpx(name: string): Tool {
  return {
    isThere: () => ran('npx', ['--yes', name, '--version'], 'ignore'),
    howToGetIt: `npx brings ${name}, where it reaches a registry`,
  }
}

/** Whether it ended well. What a virtual environment has beside its Python is found as well. */
function ran(
  command: string,
  args: readonly string[],
  stdio: 'inherit' | 'ignore' = 'inherit',
): Promise<boolean> {
  const path = `${dirname(python)}${delimiter}${process.env['PATH'] ?? ''}`
  const child = spawn(command, args, { cwd: scratch, stdio, env: { ...process.env, PATH: path } })
  return new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}
