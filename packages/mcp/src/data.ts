/**
 * A text that somebody else wrote: a name, a note, a message of a chain, an error that quotes one of these. It stands
 * under a name of its own, so that a model and its host can tell it from what this server says.
 */
export type Data = { readonly data: string; readonly cut?: true }

/** What cannot be seen, or turns what follows around, is written as an escape; what is long is cut. */
export function asData(text: string, charactersMax = CHARACTERS_MAX): Data {
  const characters = Array.from(text)
  const kept = characters.slice(0, charactersMax).join('')
  const data = kept.replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
  return characters.length > charactersMax ? { data, cut: true } : { data }
}

const CHARACTERS_MAX = 300

/**
 * Controls, marks of direction, separators, surrogates, what is unassigned or private, and what fonts show as nothing:
 * variation selectors, joiners and fillers, in which a text for models can be hidden from people.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}|\p{Variation_Selector}/gu

/** A word that may stand in a sentence of this server: an id, an address, a number. Anything else is left out of it. */
export function inSentence(text: string): string {
  return /^[A-Za-z0-9-]{1,100}$/.test(text) ? text : '(in the data)'
}
