import { readFileSync } from 'node:fs'
import { activities } from '../../trusted/activities/list.ts'
import { chainsPage } from '../../trusted/catalogue/chains-page.ts'
import { vocabularyPage } from '../../trusted/catalogue/vocabulary-page.ts'
import { chains } from '../../trusted/chains/list.ts'
import { authProxyEndpoints as authProxy } from '../auth-proxy/endpoints.ts'
import { statesTable } from '../pipeline/states-table.ts'
import { queries } from '../queries/list.ts'
import { migrationTable as postgresMigrationTable, postgresMigrations } from '../store/postgres/schema.ts'
import { migrationTable as sqliteMigrationTable, sqliteMigrations } from '../store/sqlite/schema.ts'
import type { Migration } from '../store/migrations.ts'
import { consoleRequestsModule } from './derived/console-requests.ts'
import { consoleVocabularyModule } from './derived/console-vocabulary.ts'
import { readExamples } from './derived/examples.ts'
import { knownActivitiesModules } from './derived/known-activities.ts'
import { knownChainsModule } from './derived/known-chains.ts'
import { openApiDocument } from './derived/openapi.ts'
import { referencePages } from './derived/reference-pages.ts'
import { moduleGraph } from './module-graph.ts'

/** Every derived file, by its path from the root of the project. They are committed, so that their diff is reviewed. */
export function derivedFiles(root: URL): ReadonlyMap<string, string> {
  const examples = readExamples(root)
  return new Map([
    [
      'openapi.json',
      `${JSON.stringify(openApiDocument({ activities, queries, authProxy }, examples), null, 1)}\n`,
    ],
    ...referencePages(root, { activities, queries, authProxy, examples }),
    ['docs/policy-vocabulary.md', vocabularyPage(activities)],
    ['docs/chains.md', chainsPage(chains)],
    ...knownActivitiesModules(activities),
    ['src/host/approval/known-chains.ts', knownChainsModule(chains)],
    ['console/screens/policies/known-requests.ts', consoleRequestsModule(activities)],
    ['console/screens/policies/known-vocabulary.ts', consoleVocabularyModule(activities)],
    ['docs/vault-modules.txt', `${moduleGraph(root, 'src/trusted/vault/process.ts').join('\n')}\n`],
    ['docs/database-schema.sql', databaseSchema()],
    ['ARCHITECTURE.md', withDerived(root, 'ARCHITECTURE.md', 'states', statesTable())],
  ])
}

/** A page, with this text between the comments around its part of that name. */
function withDerived(root: URL, path: string, part: string, text: string): string {
  const page = readFileSync(new URL(path, root), 'utf8')
  const place = new RegExp(`(<!-- ${part}: .*-->\\n\\n)[^]*(\\n\\n<!-- end of ${part} -->)`)
  if (!place.test(page)) throw new Error(`${path} has no place for the ${part}, between two comments`)
  return page.replace(place, (_, start: string, end: string) => `${start}${text}${end}`)
}

function databaseSchema(): string {
  return [
    '-- Derived by `npm run derive`. The migrations of both engines, in order.',
    section('embedded store (SQLite)', sqliteMigrationTable, sqliteMigrations),
    section('PostgreSQL', postgresMigrationTable, postgresMigrations),
  ].join('\n\n')
}

function section(engine: string, table: string, migrations: readonly Migration[]): string {
  const steps = migrations.map(
    ({ number, name, release, kind, sql }) =>
      `-- step ${number}: ${name} (${release}, ${kind})\n${sql.trim()}`,
  )
  return [`-- ${engine}`, table.trim(), ...steps].join('\n\n').concat('\n')
}
