/** The note that proves that data and root key belong together. */
export const ROOT_PROOF_NOTE = 'root-proof'
