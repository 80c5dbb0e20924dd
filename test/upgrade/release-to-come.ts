import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SchemaStep } from '../../src/host/store/schema-step.ts'
import { projectFolder, temporaryFolder } from '../support/running-service.ts'

/** A step of a release to come, with its SQL for both engines. */
type StepToCome = Omit<SchemaStep, 'number'> & { readonly postgres: string; readonly sqlite: string }

/**
 * A later release: a copy of this tree with another version and further steps of the schema, in a folder of its own.
 * Everything else of it is this one's, so what hosts of both do beside each other is what two real releases would, as
 * far as the schema goes.
 *
 * @returns  the path of its command
 */
export function releaseToCome(version: string, steps: readonly StepToCome[]): string {
  const folder = join(temporaryFolder(), version)
  cpSync(join(projectFolder, 'src'), join(folder, 'src'), {
    recursive: true,
    filter: (path) => !path.endsWith('.test.ts'),
  })
  for (const name of ['bin', 'package.json', 'openapi.json', ...packages()])
    cpSync(join(projectFolder, name), join(folder, name), { recursive: true })
  replaceIn(join(folder, 'package.json'), /"version": "[^"]+"/, `"version": "${version}"`)
  const file = (name: string): string => join(folder, 'src/host/store', name)
  const first = numberOfSteps(file('schema-step.ts')) + 1
  const entries = steps.map(({ postgres: _, sqlite: __, ...step }, at) =>
    JSON.stringify({ number: first + at, ...step }),
  )
  replaceIn(
    file('schema-step.ts'),
    /\n\]\n(?=\n\/\*\* The number of the newest)/,
    `\n${entries.join(',\n')}\n]\n`,
  )
  for (const engine of ['postgres', 'sqlite'] as const)
    replaceIn(
      file(`${engine}/schema.ts`),
      /(?<=migrationsOf\(\[[^\]]*)\]\)/,
      `, ${steps.map((step) => JSON.stringify(step[engine])).join(', ')}])`,
    )
  return join(folder, 'bin/claviger.js')
}

/** Copied, since the vault may read nothing outside of its release. The Node of this test runs it. */
function packages(): readonly string[] {
  // npm has written it.
  const lock = JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')) as {
    readonly packages: { readonly [path: string]: { readonly dev?: boolean } }
  }
  return Object.entries(lock.packages)
    .filter(([path, { dev = false }]) => /^node_modules\/(?!node-(linux|win)-)/.test(path) && !dev)
    .map(([path]) => path)
    .filter((path) => existsSync(join(projectFolder, path)))
}

function numberOfSteps(path: string): number {
  return [...readFileSync(path, 'utf8').matchAll(/^ +(\{ )?number: \d+,/gm)].length
}

function replaceIn(path: string, place: RegExp, by: string): void {
  const text = readFileSync(path, 'utf8')
  if (!place.test(text)) throw new Error(`${path} has no ${place}`)
  writeFileSync(
    path,
    text.replace(place, () => by),
  )
}
