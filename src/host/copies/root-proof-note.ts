/** The note that proves that the data and the root key belong together. */
export const ROOT_PROOF_NOTE = 'root-proof'
