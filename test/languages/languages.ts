import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A language in which a walk through the service is written. */
export type Language = {
  readonly name: string
  /** Ends well where the toolchain is there. */
  readonly toolchain: Command
  readonly howToGetIt: string
  /** What installs and builds, into a folder that is kept from one run to the next. */
  readonly prepare: (folder: string) => readonly Command[]
  /** The walk; with the argument `forms` it writes one request of each operation instead. */
  readonly walk: (folder: string) => Command
  /** The program of a guide, which is run before the walk and has to end well. */
  readonly guide?: (folder: string) => Command
  /** Which writes the requests. */
  readonly client: Client | undefined
}

/** A published package and its version. */
export type Client = { readonly name: string; readonly version: string }

export type Command = {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly environment?: Readonly<Record<string, string>>
}

const here = fileURLToPath(new URL('.', import.meta.url))
const isNewEnough = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))'

export const languages: readonly Language[] = [
  {
    name: 'python',
    toolchain: { program: 'python3', args: ['-c', isNewEnough], cwd: here },
    howToGetIt: 'Python 3.10 or later with its module venv: on Debian, apt-get install python3-venv',
    prepare: (folder) => [
      { program: 'python3', args: ['-m', 'venv', folder], cwd: here },
      {
        program: join(folder, 'bin', 'python'),
        args: ['-m', 'pip', 'install', '--quiet', '--no-deps', '--requirement', 'requirements.txt'],
        cwd: join(here, 'python'),
      },
    ],
    walk: (folder) => ({
      program: join(folder, 'bin', 'python'),
      args: ['-m', 'walk'],
      cwd: join(here, 'python'),
    }),
    client: { name: 'turnkey-http', version: '0.2.2' },
  },
  {
    name: 'rust',
    toolchain: { program: 'cargo', args: ['--version'], cwd: here },
    howToGetIt: 'cargo with Rust 1.94.1 or later, as rustup installs it: https://rustup.rs',
    prepare: (folder) => [
      {
        program: 'cargo',
        args: ['build', '--quiet'],
        cwd: join(here, 'rust'),
        environment: { CARGO_TARGET_DIR: folder },
      },
    ],
    walk: (folder) => ({
      program: join(folder, 'debug', 'claviger-languages'),
      args: [],
      cwd: join(here, 'rust'),
    }),
    guide: (folder) => ({ program: join(folder, 'debug', 'first'), args: [], cwd: join(here, 'rust') }),
    client: { name: 'turnkey_client', version: '0.17.1' },
  },
  {
    name: 'go',
    toolchain: { program: 'go', args: ['version'], cwd: here },
    howToGetIt: 'Go 1.26 or later: https://go.dev/dl/',
    prepare: (folder) => [
      { program: 'go', args: ['build', '-o', join(folder, 'walk'), '.'], cwd: join(here, 'go') },
    ],
    walk: (folder) => ({ program: join(folder, 'walk'), args: [], cwd: join(here, 'go') }),
    // The module proxy refuses the published client: the walk needs nothing but the standard library.
    client: undefined,
  },
]
