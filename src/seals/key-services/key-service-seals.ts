import type { Seal } from '../seal.ts'
import { type KeyServiceDeclaration, keyServiceSeal } from './key-service-seal.ts'

const declarations: readonly KeyServiceDeclaration[] = [
  {
    name: 'aws-kms',
    service: 'AWS KMS',
    placeSetting: 'AWS_REGION, or a region in the profile',
    keyForm: /^[\w:/-]{1,500}$/,
    keyExample: 'alias/claviger',
  },
  {
    name: 'google-kms',
    service: 'Google Cloud KMS',
    placeSetting: 'an address in CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS, or none',
    keyForm:
      /^projects\/[\w.:-]{1,100}\/locations\/[\w-]{1,63}\/keyRings\/[\w-]{1,63}\/cryptoKeys\/[\w-]{1,63}$/,
    keyExample: 'projects/P/locations/L/keyRings/R/cryptoKeys/K',
  },
  {
    name: 'azure-key-vault',
    service: 'Azure Key Vault',
    placeSetting: 'AZURE_KEYVAULT_URL, such as https://NAME.vault.azure.net',
    keyForm: /^[0-9A-Za-z-]{1,127}(\/[0-9a-zA-Z]{1,64})?$/,
    keyExample: 'claviger',
  },
]

export const keyServiceSeals: readonly Seal[] = declarations.map(keyServiceSeal)
