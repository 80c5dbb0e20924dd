import { RootKeyError } from '../trusted/vault/keys/root-key-error.ts'

/** This machine has no settings for a seal. That may be intended, because another seal opens the file here. */
export class SealUnset extends RootKeyError {}
