import { globSync } from 'node:fs'
import { basename, dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'
import type { defineWords } from './words/define-words.ts'
import { LANGUAGES } from './words/language.ts'

/**
 * Takes the texts out of every `words.ts` into files of their own, one for each language and each part of the page, so
 * that a page loads those of its language alone (`console/words/loaded-texts.ts`).
 *
 * @param project  the folder that holds `console/`, as a file URL that ends with a slash
 */
export function separateWords(project: URL): Plugin {
  const pathOf = (path: string): string => fileURLToPath(new URL(path, project))
  const nameOf = (path: string): string => relative(pathOf('console'), path).replaceAll('\\', '/')
  return {
    name: 'words',
    setup: ({ onLoad, onResolve }) => {
      onLoad({ filter: /[\\/]words\.ts$/ }, ({ path }) =>
        nameOf(path).startsWith('../') ? undefined : { contents: catalogueOf(path, nameOf(path)) },
      )
      onResolve({ filter: /^words:/ }, ({ path }) => ({
        path: path.slice('words:'.length),
        namespace: 'words',
      }))
      onLoad({ filter: /^/, namespace: 'words' }, async ({ path }) => ({
        ...(isOfLanguage(path)
          ? // As a script it would load what the build puts into every script.
            { contents: await textsIn(project, path), loader: 'json' }
          : { contents: partOf(path) }),
        resolveDir: pathOf('console'),
      }))
    },
  }

  function catalogueOf(path: string, name: string): string {
    const from = relative(dirname(path), pathOf('console/words/define-words.ts')).replaceAll('\\', '/')
    return `import { defineWords } from '${from.startsWith('.') ? from : `./${from}`}'
      import { texts } from 'words:${partWith(name)}'
      export const say = defineWords(texts['${name}'])`
  }
}

/**
 * A part is what is loaded together: a screen, what of it is loaded later, or the page with the way in.
 *
 * @param name  within `console`, such as `parts/words.ts`
 */
function partWith(name: string): string {
  const [, screen = 'sign-in', later] = /^screens\/([^/]+)\/(later)?/.exec(name) ?? []
  if (later !== undefined) return `${screen}-${later}`
  return screen === 'sign-in' ? 'page' : screen
}

/** The texts of a part, in the language of the page and later in any other. */
function partOf(part: string): string {
  const files = LANGUAGES.map((language) => `${language}: () => import('words:words-${language}-${part}')`)
  return `import { loadedTexts } from './words/loaded-texts.ts'
    export const texts = await loadedTexts({ ${files.join(', ')} })`
}

function isOfLanguage(path: string): boolean {
  return path.startsWith('words-')
}

/** @param path  such as `words-de-users` */
async function textsIn(project: URL, path: string): Promise<string> {
  const language = LANGUAGES.find((one) => path.startsWith(`words-${one}-`)) ?? 'en'
  const part = path.slice(`words-${language}-`.length)
  const root = new URL('console/', project)
  const names = globSync('**/words.ts', { cwd: root })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => basename(name) === 'words.ts' && partWith(name) === part)
    .toSorted()
  const texts: { [name: string]: object } = {}
  for (const name of names) {
    // Each file of this name exports its words so.
    const { say } = (await import(new URL(name, root).href)) as { say: ReturnType<typeof defineWords> }
    texts[name] = say.texts[language]
  }
  return JSON.stringify(texts)
}
