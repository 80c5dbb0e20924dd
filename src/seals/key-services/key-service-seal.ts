import { fromHex, toHex, utf8 } from '../../trusted/base/bytes.ts'
import { isPlain, record, text, textLike } from '../../trusted/base/plain.ts'
import { Secret } from '../../trusted/base/secret.ts'
import { open, seal } from '../../trusted/crypto/aead.ts'
import { aesKey, GCM_NONCE_LENGTH } from '../../trusted/crypto/aes-gcm.ts'
import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'
import { checkParameters } from '../check-parameters.ts'
import type { Seal } from '../seal.ts'
import { SealUnset } from '../seal-unset.ts'
import { inTime } from './in-time.ts'
import type { Trouble } from './key-service.ts'
import { loadKeyService } from './load-key-service.ts'
import { troubleText } from './trouble-text.ts'

export type KeyServiceDeclaration = {
  /** Of the seal, and of the package. */
  readonly name: string
  /** The provider's name for it. */
  readonly service: string
  readonly placeSetting: string
  /** The form of its keys' names. */
  readonly keyForm: RegExp
  readonly keyExample: string
}

const WRAPPED_HEX_MAX = 20_000

/**
 * A key in a key service. It encrypts a wrapping key, which encrypts the key of the file, bound to the name of that
 * key: regardless of the service, a key wrapped for one file does not open another.
 */
export function keyServiceSeal({
  name,
  service,
  placeSetting,
  keyForm,
  keyExample,
}: KeyServiceDeclaration): Seal {
  const key = textLike(keyForm, `a key such as ${keyExample}`)
  const entry = record({ seal: text(40), key, wrapped: text(WRAPPED_HEX_MAX), sealed: text(200) })
  const failed = (trouble: Trouble, asked: string): RootKeyError =>
    new (trouble.trouble === 'noPlace' ? SealUnset : RootKeyError)(
      troubleText(trouble, { service, placeSetting, key: asked }),
    )
  return {
    name,
    isTried: true,
    close: async (fileKey, { parameters, file }, { environment, randomBytes }) => {
      const { key: asked = '' } = checkParameters(name, parameters, ['key'])
      if (!isPlain(key, asked))
        throw new RootKeyError(`key of the seal ${name} is the name of a key, such as ${keyExample}`)
      const { wrap } = await loadKeyService(name, environment)
      const wrapping = randomBytes(32)
      const answer = await inTime(wrap, { key: asked, bytes: wrapping, bound: file })
      if ('trouble' in answer) throw failed(answer, asked)
      if (!isPlain(key, answer.key) || answer.wrapped.length === 0)
        throw failed({ trouble: 'wrongAnswer' }, asked)
      const nonce = randomBytes(GCM_NONCE_LENGTH)
      const sealed = seal({ key: aesKey(wrapping), nonce, aad: bound(file), plaintext: fileKey.reveal() })
      return { key: answer.key, wrapped: toHex(answer.wrapped), sealed: toHex(sealed) }
    },
    open: async (found, file, { environment }) => {
      const [wrapped, sealed] = isPlain(entry, found) ? [fromHex(found.wrapped), fromHex(found.sealed)] : []
      if (!isPlain(entry, found) || wrapped === undefined || sealed === undefined)
        throw new RootKeyError(`the root key file does not say which key of ${service} opens it`)
      const { unwrap } = await loadKeyService(name, environment)
      const answer = await inTime(unwrap, { key: found.key, bytes: wrapped, bound: file })
      if ('trouble' in answer) throw failed(answer, found.key)
      const { unwrapped } = answer
      const fileKey =
        unwrapped.length === 32 ? open({ key: aesKey(unwrapped), aad: bound(file), sealed }) : undefined
      if (fileKey?.length !== 32)
        throw new RootKeyError(`${service} decrypted something else than the key of this file`)
      return new Secret(fileKey)
    },
  }
}

function bound(file: string): Uint8Array {
  return utf8(`claviger key service seal ${file}`)
}
