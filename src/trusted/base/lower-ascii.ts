/**
 * Lowercases ASCII letters only. E-mail addresses and hexadecimal keys are folded so, both when stored and when looked
 * up. Other letters stay, because some of them fold to ASCII: the Kelvin sign, for example, to a `k`.
 */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
