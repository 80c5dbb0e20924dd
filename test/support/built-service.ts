import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const project = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Each process that the service starts, by the place of its module in the package. The watcher stands where the module
 * of the host looks for it: beside itself.
 */
const PROCESSES = {
  'host/cli/main': 'src/host/cli/main.ts',
  'host/cli/stall-watcher': 'src/host/app/stall-watcher.ts',
  'trusted/vault/process': 'src/trusted/vault/process.ts',
  'seals/process': 'src/seals/process.ts',
  'host/crash/entry': 'test/crash/entry.ts',
}

/** What the service reads of a clone beside its modules. */
const READ = ['examples', 'openapi.json', 'packages', 'src', 'tsconfig.json']

const VARIABLE = 'BUILT_SERVICE_OF_TESTS'

/**
 * The service in a file of JavaScript for each process, laid out like the package, and the pages for browsers as the
 * package carries them: it starts with a quarter of the work that Node has with the sources, and the tests start some
 * thousands. `test/run.ts` builds it once for all test files; a script builds its own.
 *
 * @returns the folder
 */
async function buildService(): Promise<string> {
  const cache = join(project, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  // Within the clone, where the packages with native code are found.
  const folder = mkdtempSync(join(cache, 'claviger-built-'))
  // Another user may run the vault.
  chmodSync(folder, 0o755)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  await build({
    absWorkingDir: project,
    entryPoints: PROCESSES,
    outdir: join(folder, 'lib'),
    // One file for each: to find and link some hundred shared ones takes a quarter of the start.
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    keepNames: true,
    // Native code, what only a clone has, and what a test counts the statements of (`test/kills/kill-at.ts`).
    external: ['secp256k1', 'sodium-native', 'esbuild', 'pg'],
    banner: {
      js: "import { createRequire as requireOfBundle } from 'node:module';const require = requireOfBundle(import.meta.url);",
    },
    logLevel: 'error',
  })
  mkdirSync(join(folder, 'bin'))
  for (const file of ['package.json', 'bin/claviger.js', 'bin/with-node.js'])
    copyFileSync(join(project, file), join(folder, file))
  for (const name of READ) symlinkSync(join(project, name), join(folder, name))
  // By a program: its types are those of a browser, which the packages that start this service do not have.
  for (const name of ['console', 'frames'])
    execFileSync(process.execPath, [join(project, 'release/write-pages.ts'), name, join(folder, name)])
  symlinkSync(join(project, 'packages'), join(folder, 'lib/packages'))
  return folder
}

let built: Promise<string> | undefined

/** Of the run, or built now and gone with this process. */
async function builtService(): Promise<string> {
  built ??= Promise.resolve(process.env[VARIABLE] ?? buildService())
  return await built
}

/** The command, as `bin/claviger.js` is in the package. */
export async function builtCommand(): Promise<string> {
  return join(await builtService(), 'bin/claviger.js')
}

/** `test/crash/entry.ts`, with the same modules. */
export async function builtCrashEntry(): Promise<string> {
  return join(await builtService(), 'lib/host/crash/entry.js')
}

/** For the test files that `test/run.ts` starts. */
export async function buildServiceForAll(): Promise<void> {
  process.env[VARIABLE] = await buildService()
}
