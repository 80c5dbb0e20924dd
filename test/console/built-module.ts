import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildConsole } from '../../console/build.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { temporaryFolder } from '../support/running-service.ts'

/**
 * A file of the console as a page loads it, with as much of Node as the page has.
 *
 * @param begins  its name, such as `checked`
 */
export async function builtModule(begins: string): Promise<object> {
  const folder = temporaryFolder()
  const files = await buildConsole()
  for (const { name, bytes } of files) writeFileSync(join(folder, name), bytes)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const { name } = present(
    files.find((file) => new RegExp(`^${begins}-\\w+\\.js$`).test(file.name)),
    begins,
  )
  // The words of the page are loaded with it, so that it has to have a language.
  const document = { documentElement: { lang: 'en' } }
  Object.assign(globalThis, { document, localStorage: { getItem: () => null }, addEventListener: () => {} })
  const loaded: unknown = await import(pathToFileURL(join(folder, name)).href)
  return present(typeof loaded === 'object' ? loaded : undefined, 'a module')
}
