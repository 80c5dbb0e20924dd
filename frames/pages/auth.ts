import { openCredentialBundle } from '../bundles/credential-bundle.ts'
import { type Answer, type Answering, openChannel } from '../channel/open-channel.ts'
import type { Fields } from '../channel/fields.ts'
import { readConfig } from '../config.ts'
import { type Credential, importCredential } from '../keys/credential.ts'
import { noCredential } from '../failures.ts'
import { keyMessages } from './key-messages.ts'
import { openEmbeddedKey } from './open-embedded-key.ts'

// The frame that stamps requests for a page, with a credential that came to it encrypted and that the page never has.
const { allowedOrigins } = readConfig(document)

openChannel(window, allowedOrigins, async (opening) => {
  const key = await openEmbeddedKey('auth', opening)
  let credential: Credential | undefined
  const inject = async (fields: Fields): Promise<Answer> => {
    const scalar = await openCredentialBundle(fields.text('value'), await key.use())
    try {
      credential = await importCredential(scalar)
    } finally {
      scalar.fill(0)
    }
    return ['BUNDLE_INJECTED', true]
  }
  return {
    publicKey: await key.publicKey(),
    answers: new Map<string, Answering>([
      ...keyMessages(key),
      ['INJECT_CREDENTIAL_BUNDLE', inject],
      ['INJECT_RECOVERY_BUNDLE', inject],
      [
        'STAMP_REQUEST',
        async (fields) => {
          if (credential === undefined) throw noCredential()
          return ['STAMP', await credential.stamp(fields.text('value'))]
        },
      ],
      [
        'RESET_EMBEDDED_KEY',
        async () => {
          credential = undefined
          await key.reset()
          return ['EMBEDDED_KEY_RESET', true]
        },
      ],
    ]),
  }
})
