import { oneOf } from '../../catalogue/shape.ts'

/** How a secret is encrypted on its way in and out: HPKE (RFC 9180), as every bundle here. There is one suite. */
export const encryptionSuite = oneOf(['TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'])
