import { RootKeyError } from '../trusted/vault/keys/root-key-error.ts'

/** This machine has no settings for a seal, which may be meant: another one opens the file here. */
export class SealUnset extends RootKeyError {}
