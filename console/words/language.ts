export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** The language that the page is in, as its root element says. */
export function language(): Language {
  return LANGUAGES.find((one) => one === document.documentElement.lang) ?? 'en'
}

/**
 * The page begins in the language that was chosen in this browser, else in the first of its own that there are words
 * in.
 */
export function beginLanguage(): void {
  const wanted = [chosenLanguage() ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2))
  document.documentElement.lang =
    wanted.flatMap((tag) => LANGUAGES.find((one) => one === tag) ?? [])[0] ?? 'en'
}

/**
 * The page goes on in it, with all that was typed, once everything that has words has them in this language. What is
 * chosen last holds.
 *
 * @throws whatever loading the words throws; the page stays in its language then
 */
export async function chooseLanguage(chosen: Language): Promise<void> {
  localStorage.setItem(PLACE, chosen)
  // What has been loaded meanwhile is asked as well.
  for (let loading = wantedFrom(chosen); loading.length > 0; loading = wantedFrom(chosen))
    await Promise.all(loading)
  if (chosenLanguage() !== chosen) return
  document.documentElement.lang = chosen
  dispatchEvent(new Event(CHANGED))
}

/** @returns stops it */
export function onLanguage(changed: () => void): () => void {
  addEventListener(CHANGED, changed)
  return () => removeEventListener(CHANGED, changed)
}

type Wanted = { readonly language: Language; readonly loading: Promise<void>[] }

function wantedFrom(chosen: Language): readonly Promise<void>[] {
  const wanted: Wanted = { language: chosen, loading: [] }
  dispatchEvent(new CustomEvent(WANTED, { detail: wanted }))
  return wanted.loading
}

/** @param load  what it returns is waited for before the page is in this language; nothing, where nothing is missing */
export function onWantedLanguage(load: (wanted: Language) => Promise<void> | undefined): void {
  addEventListener(WANTED, (event) => {
    // No other event has this name.
    const { language, loading } = (event as CustomEvent<Wanted>).detail
    const loaded = load(language)
    if (loaded !== undefined) loading.push(loaded)
  })
}

function chosenLanguage(): string | null {
  return localStorage.getItem(PLACE)
}

const CHANGED = 'claviger.language'
const WANTED = 'claviger.language.wanted'

const PLACE = 'claviger.language'
