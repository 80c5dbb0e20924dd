/** The note with the times at which data was restored from a copy. */
export const RESTORED_NOTE = 'restored'

/** Each line of such a note, oldest first: the proven text, and the vault's proof. */
export function notedProofs(note: string): readonly (readonly [challenge: string, proof: string])[] {
  return note
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [challenge = '', proof = ''] = line.split('\t')
      return [challenge, proof]
    })
}
