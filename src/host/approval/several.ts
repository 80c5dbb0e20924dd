/** Several sentences as one text: the first of them, and the number of the others below it. */
export function several(sentences: readonly string[]): string {
  const first = sentences.slice(0, SENTENCES_MAX).join(' ')
  const more = sentences.length - SENTENCES_MAX
  return more > 0 ? `${first} And ${more} MORE, all of them below.` : first
}

const SENTENCES_MAX = 8
