import { readFileSync } from 'node:fs'
import { activities } from '../../trusted/activities/list.ts'
import { chainsPage } from '../../trusted/catalogue/chains-page.ts'
import { openApiDocument } from '../../trusted/catalogue/openapi.ts'
import { referencePage } from '../../trusted/catalogue/reference.ts'
import { vocabularyPage } from '../../trusted/catalogue/vocabulary-page.ts'
import { chains } from '../../trusted/chains/list.ts'
import { settingsTable } from '../app/settings/settings-pages.ts'
import { queries } from '../queries/list.ts'
import { migrationTable as postgresMigrationTable, postgresMigrations } from '../store/postgres-schema.ts'
import { migrationTable as sqliteMigrationTable, sqliteMigrations } from '../store/sqlite-schema.ts'
import type { Migration } from '../store/migrations.ts'
import { moduleGraph } from './module-graph.ts'

/** Every file that follows from others, by its path from the root of the project. They are committed, so that their diff is reviewed. */
export function derivedFiles(root: URL): ReadonlyMap<string, string> {
  return new Map([
    ['openapi.json', `${JSON.stringify(openApiDocument(activities, queries), null, 2)}\n`],
    ['docs/reference.md', referencePage(activities, queries)],
    ['docs/policy-vocabulary.md', vocabularyPage(activities)],
    ['docs/chains.md', chainsPage(chains)],
    ['docs/vault-modules.txt', `${moduleGraph(root, 'src/trusted/vault/process.ts').join('\n')}\n`],
    ['docs/database-schema.sql', databaseSchema()],
    ['README.md', withSettings(readFileSync(new URL('README.md', root), 'utf8'))],
  ])
}

const SETTINGS = /(<!-- settings: .*-->\n\n)[^]*(\n\n<!-- end of settings -->)/

function withSettings(page: string): string {
  if (!SETTINGS.test(page))
    throw new Error('README.md has no place for the settings, between its two comments')
  return page.replace(SETTINGS, (_, start: string, end: string) => `${start}${settingsTable()}${end}`)
}

function databaseSchema(): string {
  return [
    '-- Derived by `npm run derive`. The migrations of both engines, in order.',
    section('embedded store (SQLite)', sqliteMigrationTable, sqliteMigrations),
    section('PostgreSQL', postgresMigrationTable, postgresMigrations),
  ].join('\n\n')
}

function section(engine: string, table: string, migrations: readonly Migration[]): string {
  const steps = migrations.map(({ number, name, sql }) => `-- step ${number}: ${name}\n${sql.trim()}`)
  return [`-- ${engine}`, table.trim(), ...steps].join('\n\n').concat('\n')
}
