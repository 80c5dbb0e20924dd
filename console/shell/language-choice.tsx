import { chooseLanguage, language, LANGUAGES } from '../words/language.ts'
import { say } from './words.ts'

export function LanguageChoice() {
  const chosen = (value: string): void => {
    const found = LANGUAGES.find((one) => one === value)
    if (found !== undefined) chooseLanguage(found)
  }
  return (
    <select
      aria-label={say('language')}
      value={language()}
      onChange={(event) => chosen(event.currentTarget.value)}
    >
      {LANGUAGES.map((one) => (
        <option key={one} value={one} lang={one}>
          {NAMES[one]}
        </option>
      ))}
    </select>
  )
}

/** Each in its own words. */
const NAMES = { en: 'English', de: 'Deutsch' } as const
