import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { outputOf } from './output-of.ts'
import { readProjectFile } from './package-json.ts'
import { stage } from './stage.ts'
import { stageCrypto } from './stage-crypto.ts'
import { stageOptionalPackage } from './stage-optional-package.ts'

/** The packages with dependencies of their own, and where they stand in a clone. */
export const OPTIONAL_PACKAGES = [
  { called: 'the server for agents', at: 'packages/mcp/' },
  { called: 'the seal with AWS KMS', at: 'packages/aws-kms/' },
  { called: 'the seal with Google Cloud KMS', at: 'packages/google-kms/' },
  { called: 'the seal with Azure Key Vault', at: 'packages/azure-key-vault/' },
  { called: 'the traces', at: 'packages/opentelemetry/' },
  { called: 'the storage of archives', at: 'packages/s3/' },
] as const

/** Where the package for bundlers stands: its files run as they are, and it brings none but itself. */
export const CRYPTO = 'packages/turnkey-crypto/'

/** Builds the package of this clone, and leaves its tarball in the folder: the path of it. */
export function pack(root: URL, folder: string): string {
  return packed(root, folder, (staged) => stage(root, staged))
}

/** The same for one of the packages with dependencies of their own. */
export function packOptional(root: URL, at: string, folder: string): string {
  const project = new URL(at, root)
  return packed(project, folder, (staged) => stageOptionalPackage(root, project, staged))
}

/** The same for the package that puts this service's keys into a bundle. */
export function packCrypto(root: URL, folder: string): string {
  const crypto = new URL(CRYPTO, root)
  return packed(crypto, folder, (staged) => stageCrypto(root, crypto, staged))
}

function packed(project: URL, folder: string, lay: (staged: string) => void): string {
  const out = resolve(folder)
  mkdirSync(out, { recursive: true })
  // Of its own: a folder that is there already may be somebody's.
  const staged = mkdtempSync(join(out, '.package-'))
  try {
    lay(staged)
    outputOf(
      'npm',
      ['pack', '--ignore-scripts', '--silent', '--pack-destination', out],
      pathToFileURL(staged),
    )
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
  const { name, version } = readProjectFile(project)
  return join(out, `${name}-${version}.tgz`)
}
