import { language } from './language.ts'
import { plainText } from './plain-text.ts'

/** The texts of one part of the page: the same keys in each language. `{name}` stands for a value. */
type Texts<Key extends string = string> = {
  readonly en: Readonly<Record<Key, string>>
  readonly de: Readonly<Record<Key, string>>
}

type Values = Readonly<Record<string, string | number>>

/** In a page `texts` has the languages that were loaded (`loaded-texts.ts`), that of the page among them. */
type Say<Key extends string> = ((key: Key, values?: Values) => string) & { readonly texts: Texts<Key> }

/** Gives the words of these texts in the language of the page. */
export function defineWords<const Key extends string>(texts: Texts<Key>): Say<Key> {
  const say = (key: Key, values: Values = {}): string =>
    texts[language()][key].replace(/\{(\w+)\}/g, (_, name: string) => isolated(values[name] ?? ''))
  return Object.assign(say, { texts })
}

/**
 * What somebody else has written can turn neither its own letters nor those around it (Unicode 9.0, UAX 9, section
 * 2.4.2).
 */
export function isolated(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString(language()) : `\u2068${plainText(value)}\u2069`
}
