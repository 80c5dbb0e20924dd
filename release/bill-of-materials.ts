import type { RunningPackage } from './lock-file.ts'
import type { ProjectFile } from './package-json.ts'

type Built = {
  readonly sha256: string
  readonly commit: string
  /** What it was built with, by name: others build the same bytes with the same versions. */
  readonly tools: Readonly<Record<string, string>>
}

/**
 * What the package is made of, as CycloneDX 1.6: every package that it brings, with the digest in the lock file. It is
 * the same for the same release, so it has no time and no serial number, which `npm sbom` writes anew each time.
 */
export function billOfMaterials(
  project: ProjectFile,
  packages: readonly RunningPackage[],
  { sha256, commit, tools }: Built,
): object {
  const own = referenceOf({ packageName: project.name, version: project.version })
  const byFolder = new Map(packages.map((one) => [one.folder, one]))
  const direct = Object.keys(project.dependencies).map((name) => `node_modules/${name}`)
  const dependsOn = (folders: readonly string[]): readonly string[] =>
    distinct(folders.flatMap((folder) => byFolder.get(folder) ?? []).map(referenceOf))
  const components = new Map(packages.map((one) => [referenceOf(one), componentOf(one)]))
  const needs = new Map(packages.map((one) => [referenceOf(one), dependsOn(one.needs)]))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      tools: {
        components: Object.entries(tools).map(([name, version]) => ({ type: 'application', name, version })),
      },
      component: {
        ...componentOf({ ...project, packageName: project.name }),
        type: 'application',
        hashes: [{ alg: 'SHA-256', content: sha256 }],
        pedigree: { commits: [{ uid: commit }] },
      },
    },
    components: [...components].toSorted(byReference).map(([, component]) => component),
    dependencies: [[own, dependsOn(direct)] as const, ...[...needs].toSorted(byReference)].map(
      ([ref, on]) => ({ ref, dependsOn: on }),
    ),
  }
}

type Named = Pick<RunningPackage, 'packageName' | 'version' | 'integrity' | 'license'>

function componentOf(one: Named): object {
  const digest = /^sha512-(.*)$/.exec(one.integrity ?? '')?.[1]
  return {
    type: 'library',
    'bom-ref': referenceOf(one),
    name: one.packageName,
    version: one.version,
    purl: `pkg:npm/${one.packageName.replace('@', '%40')}@${one.version}`,
    ...(digest === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }),
    ...(one.license === undefined ? {} : { licenses: [{ license: { id: one.license } }] }),
  }
}

function referenceOf({ packageName, version }: Pick<Named, 'packageName' | 'version'>): string {
  return `${packageName}@${version}`
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted()
}

function byReference([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}
