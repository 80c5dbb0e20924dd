export const LANGUAGES = ['en', 'de'] as const
type Language = (typeof LANGUAGES)[number]

/** The language that the page is in, as its root element says. */
export function language(): Language {
  return LANGUAGES.find((one) => one === document.documentElement.lang) ?? 'en'
}

/** The language that was chosen in this browser, else the first of its own that there are words in. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(PLACE) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2))
  return wanted.flatMap((tag) => LANGUAGES.find((one) => one === tag) ?? [])[0] ?? 'en'
}

/** The page goes on in it, with all that was typed. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(PLACE, chosen)
  document.documentElement.lang = chosen
  dispatchEvent(new Event(CHANGED))
}

/** @returns stops it */
export function onLanguage(changed: () => void): () => void {
  addEventListener(CHANGED, changed)
  return () => removeEventListener(CHANGED, changed)
}

const CHANGED = 'claviger.language'

const PLACE = 'claviger.language'
