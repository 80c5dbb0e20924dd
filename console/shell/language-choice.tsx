import { useState } from 'preact/hooks'
import { Problem } from '../parts/problem.tsx'
import { chooseLanguage, language, LANGUAGES } from '../words/language.ts'
import { say } from './words.ts'

export function LanguageChoice() {
  const [error, setError] = useState<unknown>(undefined)
  const chosen = (value: string): void => {
    setError(undefined)
    const found = LANGUAGES.find((one) => one === value)
    if (found !== undefined) chooseLanguage(found).catch(setError)
  }
  return (
    <>
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
      {error !== undefined && <Problem error={error} />}
    </>
  )
}

/** Each in its own words. */
const NAMES = { en: 'English', de: 'Deutsch' } as const
