import { oneOf } from '../../catalogue/shape.ts'

/** The encryption of a secret at import and export: HPKE (RFC 9180), as for every bundle here. There is one suite. */
export const encryptionSuite = oneOf(['TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'])
