import { aPasskey } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'
import { onP256, without } from '../../../../../test/behaviour/older-fields.ts'

const SUB = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION'

export const fixture: Fixture = ({ service, example }) => {
  const { rootUsers: users, ...rest } = example
  const v4 = { ...rest, rootUsers: users.map(onP256) }
  const v2 = { ...v4, rootUsers: v4.rootUsers.map(without('oauthProviders')) }
  return {
    parameters: example,
    older: {
      [SUB]: { name: 'Customer 4711', rootAuthenticator: aPasskey(service) },
      [`${SUB}_V2`]: v2,
      [`${SUB}_V3`]: { ...v2, privateKeys: [privateKeyParams] },
      [`${SUB}_V4`]: v2,
      [`${SUB}_V5`]: v4,
    },
  }
}

const privateKeyParams = {
  privateKeyName: 'Treasury',
  curve: 'CURVE_SECP256K1',
  privateKeyTags: [],
  addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
}
