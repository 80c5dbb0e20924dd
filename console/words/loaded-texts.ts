import { beginLanguage, language, type Language, onWantedLanguage } from './language.ts'

// Words are loaded before anything of the page runs, so this is where its language is found.
beginLanguage()

/**
 * The texts of a part of the page in one language, by the file in `console` that has them, such as `parts/words.ts`.
 */
type File = { readonly default: { readonly [name: string]: { readonly [key: string]: string } } }

/** By file and language: those of the languages that were loaded. */
type Loaded = { [name: string]: { [language: string]: { readonly [key: string]: string } } }

/**
 * The texts of a part in the language of the page. Before the page goes on in another language, those of that language
 * come to them. Only a built page loads its texts so (`console/build-words.ts`); all others have them in place.
 *
 * @param files  what loads them in each language
 */
export async function loadedTexts(files: Readonly<Record<Language, () => Promise<File>>>): Promise<Loaded> {
  const texts: Loaded = {}
  const load = async (wanted: Language): Promise<void> => {
    const { default: file } = await files[wanted]()
    for (const [name, words] of Object.entries(file)) (texts[name] ??= {})[wanted] = words
  }
  const has = (wanted: Language): boolean => Object.values(texts).some((words) => wanted in words)
  // Before anything is waited for: the page may go on in another language meanwhile.
  onWantedLanguage((wanted) => (has(wanted) ? undefined : load(wanted)))
  await load(language())
  return texts
}
