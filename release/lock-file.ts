import { readFileSync } from 'node:fs'

/** A package in `package-lock.json` (version 3); what else npm keeps of one is passed on as it is. */
type LockedPackage = {
  readonly name?: string
  readonly version: string
  readonly integrity?: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** By the folder that it is installed in, such as `node_modules/pg/node_modules/postgres-date`. */
type LockedPackages = { readonly [folder: string]: LockedPackage }

/** A package that runs, and the folders of those that it needs itself. */
export type RunningPackage = LockedPackage & {
  readonly folder: string
  readonly packageName: string
  readonly needs: readonly string[]
}

const FOLDER = 'node_modules/'

export function readLockFile(root: URL): LockedPackages {
  // npm writes it, and `npm ci` refuses one that it cannot read.
  const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as {
    readonly packages: LockedPackages
  }
  return lock.packages
}

/** The packages that these dependencies bring, theirs included, ordered by folder. */
export function runningPackages(
  locked: LockedPackages,
  dependencies: readonly string[],
): readonly RunningPackage[] {
  const found = new Map<string, RunningPackage>()
  const waiting = dependencies.map((name) => needed(locked, '', name))
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entry = locked[folder]
    if (entry === undefined || found.has(folder)) continue
    const needs = needsOf(locked, folder, entry)
    found.set(folder, { ...entry, folder, packageName: nameOf(folder), needs })
    waiting.push(...needs)
  }
  return [...found.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1))
}

function needsOf(locked: LockedPackages, folder: string, entry: LockedPackage): readonly string[] {
  const optional = Object.keys(entry.optionalDependencies ?? {}).filter(
    (name) => nearest(locked, folder, name) !== undefined,
  )
  const needs = Object.keys(entry.dependencies ?? {}).map((name) => needed(locked, folder, name))
  return [...new Set([...needs, ...optional.map((name) => needed(locked, folder, name))])].sort()
}

function needed(locked: LockedPackages, from: string, name: string): string {
  const folder = nearest(locked, from, name)
  if (folder === undefined) throw new Error(`package-lock.json has no ${name} for ${from || 'the project'}`)
  return folder
}

/** Where Node finds it from there: in the folder's own packages, or in those of a folder around it. */
function nearest(locked: LockedPackages, from: string, name: string): string | undefined {
  for (let around = from; ; around = around.slice(0, Math.max(0, around.lastIndexOf(FOLDER) - 1))) {
    const folder = `${around === '' ? '' : `${around}/`}${FOLDER}${name}`
    if (locked[folder] !== undefined) return folder
    if (around === '') return undefined
  }
}

function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf(FOLDER) + FOLDER.length)
}
