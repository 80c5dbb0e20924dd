import type { SealSettings } from '../link/seal-process.ts'
import type { Config } from './config.ts'

/** The environment variables of Node itself, of the tools of seals and of the clients of key services. */
const PASSED_ON =
  /^(PATH|HOME|LANG|TZ|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|CREDENTIALS_DIRECTORY|TPM2TOOLS_TCTI|TCTI|CLOUDSDK_CONFIG|CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS|GCE_METADATA_HOST|IDENTITY_(ENDPOINT|HEADER|SERVER_THUMBPRINT)|IMDS_ENDPOINT|(BAO|VAULT|AWS|GOOGLE|GCLOUD|AZURE)_[A-Z0-9_]+)$/

/** Those by which the PKCS#11 libraries of YubiHSM, Luna, Utimaco, nShield and others find their device. */
const OF_DEVICES =
  /^(SOFTHSM2_CONF|OPENSC_CONF|YUBIHSM_PKCS11_CONF|ChrystokiConfigurationPath|CS_PKCS11_R[0-9]_CFG|CKNFAST_[A-Z0-9_]+)$/

/**
 * The settings of a process that opens a seal: only the path of the root key file, and the variables for reaching a
 * seal.
 */
export function sealSettings(config: Config, environment: SealSettings): SealSettings {
  const passedOn = Object.entries(environment).filter(
    ([name]) => PASSED_ON.test(name) || OF_DEVICES.test(name),
  )
  return {
    ...Object.fromEntries(passedOn),
    CLAVIGER_ROOT_KEY: config.rootKeyPath,
    CLAVIGER_ROOT_KEY_READERS: config.rootKeyReaders,
    CLAVIGER_UNSEAL_SOCKET: config.unseal.socketPath,
    CLAVIGER_UNSEAL_PEOPLE: config.unseal.people,
    ...(config.pkcs11.module === undefined ? {} : { CLAVIGER_PKCS11_MODULE: config.pkcs11.module }),
    ...(config.pkcs11.pinPath === undefined ? {} : { CLAVIGER_PKCS11_PIN_FILE: config.pkcs11.pinPath }),
    ...(config.passphrasePath === undefined ? {} : { CLAVIGER_ROOT_PASSPHRASE_FILE: config.passphrasePath }),
    ...(config.passphrase === undefined ? {} : { CLAVIGER_ROOT_PASSPHRASE: config.passphrase }),
  }
}
