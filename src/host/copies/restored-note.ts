/** The note that says when data were restored from a copy. */
export const RESTORED_NOTE = 'restored'

/** Each line of such a note, the oldest first: what the vault has proven, and its proof. */
export function notedProofs(note: string): readonly (readonly [challenge: string, proof: string])[] {
  return note
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [challenge = '', proof = ''] = line.split('\t')
      return [challenge, proof]
    })
}
