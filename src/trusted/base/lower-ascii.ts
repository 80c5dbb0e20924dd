/**
 * How texts are made one that are compared without regard to case: e-mail addresses and hexadecimal keys, where they are kept
 * and where they are sought. Other letters stay, because some of them fold to ASCII: the sign for kelvin to a `k`.
 */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
