import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { outputOf } from '../../../release/output-of.ts'
import { temporaryFolder } from '../../support/running-service.ts'
import { pageFile } from './page-file.ts'

export type BuiltImage = {
  readonly name: string
  /** Where its file system is mounted. */
  readonly root: string
  readonly config: ImageConfig
  readonly buildah: (args: readonly string[]) => string
  readonly remove: () => void
}

/** As `buildah inspect` shows it. */
type ImageConfig = {
  readonly User: string
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly Env: readonly string[]
  readonly Healthcheck: { readonly Test: readonly string[] }
}

const LIBRARIES = ['base-files', 'libc6', 'libstdc++6', 'libgcc-s1', 'ca-certificates']
const SHELL = [
  'dash',
  'coreutils',
  'libacl1',
  'libattr1',
  'libselinux1',
  'libgmp10',
  'libpcre2-8-0',
  'libssl3',
]

/**
 * Builds the image of the guide from the package of this work tree. Its base images come from registries of images;
 * here others with the same contents are made of Debian's packages, of this Node and of this machine's npm.
 */
export async function buildImage(): Promise<BuiltImage> {
  // Making the package takes its time, and only this test needs it here.
  const { packed } = await import('../../package/packed.ts')
  const folder = temporaryFolder()
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
  const buildah = (args: readonly string[]): string =>
    outputOf('buildah', [...storage, ...args], pathToFileURL(`${folder}/`))
  const imported = (name: string, packages: readonly string[], more?: string): string => {
    const archive = join(folder, `${name}.tar`)
    outputOf(
      'mmdebstrap',
      ['--quiet', '--variant=extract', `--include=${packages.join(',')}`, 'bookworm', archive],
      pathToFileURL(folder),
    )
    const container = buildah(['from', 'scratch'])
    buildah(['add', '--quiet', container, archive, '/'])
    if (more !== undefined) buildah(['add', '--quiet', container, more, '/usr/local'])
    buildah(['config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container])
    return buildah(['commit', '--quiet', '--rm', container, name])
  }
  imported('base', LIBRARIES)
  imported('build', [...LIBRARIES, ...SHELL], nodeAndNpm(folder))
  writeFileSync(
    join(folder, 'Containerfile'),
    pageFile({ page: 'docs/how-to/containers.md', file: 'Containerfile' }),
  )
  buildah([
    ...[
      'build',
      '--quiet',
      '--isolation',
      'chroot',
      '--network',
      'host',
      '--format',
      'docker',
      '--tag',
      'claviger',
    ],
    ...['--build-arg', 'BASE_IMAGE=localhost/base', '--build-arg', 'BUILD_IMAGE=localhost/build'],
    ...['--build-arg', 'CLAVIGER=/claviger.tgz', '--volume', `${packed.tarball}:/claviger.tgz:ro`],
    ...settingsOfNpm(folder).flatMap((volume) => ['--volume', volume]),
    folder,
  ])
  const container = buildah(['from', 'localhost/claviger'])
  // The shape is that of its documentation.
  const { Docker } = JSON.parse(buildah(['inspect', container])) as { Docker: { config: ImageConfig } }
  return {
    name: 'localhost/claviger',
    root: buildah(['mount', container]),
    config: Docker.config,
    buildah,
    remove: () => void buildah(['umount', '--all']),
  }
}

/** A folder to be laid over `/usr/local`. */
function nodeAndNpm(folder: string): string {
  const local = join(folder, 'local')
  const npm = join(local, 'lib/node_modules/npm')
  mkdirSync(join(local, 'bin'), { recursive: true })
  cpSync(process.execPath, join(local, 'bin/node'))
  cpSync(join(outputOf('npm', ['root', '--global'], pathToFileURL(folder)), 'npm'), npm, { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  return local
}

/** The registry of this machine, and the authorities that it trusts beyond those of Node. */
function settingsOfNpm(folder: string): readonly string[] {
  const own = join(homedir(), '.npmrc')
  const authorities = process.env['NODE_EXTRA_CA_CERTS']
  const lines = [
    existsSync(own) ? readFileSync(own, 'utf8') : '',
    authorities === undefined ? '' : 'cafile=/authorities.crt',
  ]
  const path = join(folder, 'npmrc')
  writeFileSync(path, lines.join('\n'))
  return [
    `${path}:/usr/local/etc/npmrc:ro`,
    ...(authorities === undefined ? [] : [`${authorities}:/authorities.crt:ro`]),
  ]
}
