import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ENVIRONMENT = 'node_modules/.cache/claviger-conform'

export const howToGetIt =
  `get it with \`python3 -m venv ${ENVIRONMENT} && ${ENVIRONMENT}/bin/pip install ` +
  '-r test/conform/requirements.txt` in the clone, and run this again'

/** @param given  another Python that has the tools */
export function pythonIn(clone: string, given: string | undefined): string {
  if (given !== undefined) return resolve(given)
  const installed = join(clone, ENVIRONMENT, 'bin/python')
  return existsSync(installed) ? installed : 'python3'
}
