import { fileURLToPath } from 'node:url'

/** What Node keeps of the code it has compiled: some hundreds of processes of one run load the same files. */
export const compileCache = fileURLToPath(
  new URL('../../node_modules/.cache/claviger-tests', import.meta.url),
)
