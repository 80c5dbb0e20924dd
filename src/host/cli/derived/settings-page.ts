import { markdownPage } from '../../../trusted/catalogue/markdown-page.ts'
import { settingsTable } from '../../app/settings/settings-pages.ts'

/** The page of settings, from their declarations. */
export function settingsPage(): string {
  return markdownPage([
    '# Settings',
    'Derived by `npm run derive` from `src/host/app/settings/settings.ts`.',
    'A setting is an environment variable, or a line `NAME=value` of the file that `CLAVIGER_CONFIG` names. The environment goes before the file. `claviger doctor` says what is wrong with them.',
    // `claviger help` shows the links too, as paths from the root of the project.
    settingsTable().replaceAll('](docs/', '](../'),
  ])
}
