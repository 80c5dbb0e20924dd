import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { builtCommand } from '../../support/built-service.ts'
import { projectFolder } from '../../support/running-service.ts'
import { PageProblem } from './blocks.ts'

type Manifest = { readonly dependencies: Versions; readonly devDependencies: Versions }
type Versions = { readonly [name: string]: string }

/** A Claviger that is somewhere on this machine: its package, and what its command runs. */
export type Installed = { readonly folder: string; readonly command: string }

// npm makes the file of the command executable when it installs it; in a clone it is not.
export const clone: Installed = { folder: projectFolder, command: `node '${await builtCommand()}'` }

/** What the reader has before the first block: `npx claviger`. */
export function linkClaviger(folder: string, { folder: its, command }: Installed): void {
  link(folder, 'claviger', its)
  mkdirSync(join(folder, 'node_modules', '.bin'))
  writeScript(join(folder, 'node_modules', '.bin', 'claviger'), `exec ${command} "$@"`)
}

/**
 * A folder for the path with an `npx` that runs what is installed here and never asks a registry. The package's tests
 * run the real one.
 */
export function npxFolder(folder: string): string {
  writeScript(join(folder, 'npx'), 'name=$1\nshift\nexec "node_modules/.bin/$name" "$@"')
  return folder
}

function writeScript(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
}

/** What `npm run languages` keeps between runs. */
export const LANGUAGES = join(projectFolder, 'node_modules', '.cache', 'claviger-languages')

/**
 * Lines of `npm install name@version …` and of what installs into a `venv`: the packages of the clone and of
 * `npm run languages -- python`, which have to be of these versions.
 *
 * @returns the lines that are left for the reader's terminal
 */
export function install(folder: string, text: string): string {
  const left: string[] = []
  for (const line of text.trim().split('\n')) {
    const [program, verb, ...packages] = line.split(' ')
    if (verb !== 'install' || packages.length === 0) {
      if (line === 'python3 -m venv venv') symlinkSync(join(LANGUAGES, 'python'), join(folder, 'venv'))
      else if (line === '. venv/bin/activate') left.push(line)
      else throw new PageProblem(`"${line}" is not an install with names of packages`)
    } else if (program === 'npm') {
      for (const one of packages) if (one !== 'claviger') installOne(folder, one)
    } else if (program === 'pip') for (const one of packages) isOfPython(one)
    else throw new PageProblem(`"${line}" is not an install with names of packages`)
  }
  return left.join('\n')
}

function isOfPython(one: string): void {
  const known = readFileSync(join(projectFolder, 'test/languages/python/requirements.txt'), 'utf8')
  if (!known.split('\n').includes(one)) throw new PageProblem(`"${one}" is not what the tests have`)
}

function installOne(folder: string, one: string): void {
  const at = one.lastIndexOf('@')
  const [name, version] = at > 0 ? [one.slice(0, at), one.slice(at + 1)] : [one, undefined]
  const known = versions()[name]
  if (known === undefined || known !== version)
    throw new PageProblem(
      `"${one}" is not what the tests have: ${known === undefined ? 'nothing' : `${name}@${known}`}`,
    )
  link(folder, name, join(projectFolder, 'node_modules', name))
}

function versions(): Versions {
  // It is ours, and has both.
  const manifest = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as Manifest
  return { ...manifest.dependencies, ...manifest.devDependencies }
}

function link(folder: string, name: string, target: string): void {
  const path = join(folder, 'node_modules', name)
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}
