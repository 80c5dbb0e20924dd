import {
  type ClientSignature,
  clientSignatureInvalid,
  readClientSignature,
} from '../../crypto/client-signature.ts'
import type { VerificationToken } from '../../crypto/verification-token.ts'

/**
 * Only the holder of the key may use a token that is bound to it: the signed message names the token and the session
 * key. Texts are compared by meaning, not by spelling. For `verify`.
 *
 * @throws  Failure `clientSignatureInvalid`
 */
export async function checkLoginSignature(
  token: VerificationToken,
  login: { readonly clientSignature?: ClientSignature; readonly publicKey: string },
): Promise<void> {
  const { clientSignature, publicKey } = login
  if (token.publicKey === undefined) {
    // An unchecked signature would look like a proof to its sender.
    if (clientSignature !== undefined)
      throw clientSignatureInvalid({ why: 'the verification token is bound to no key' })
    return
  }
  if (clientSignature === undefined)
    throw clientSignatureInvalid({ why: 'it is missing, and the verification token is bound to a key' })
  const usage = await readClientSignature(clientSignature)
  if (!sameHex(clientSignature.publicKey, token.publicKey))
    throw clientSignatureInvalid({ why: 'its key is not the one that the verification token is bound to' })
  if (usage.kind !== 'login') throw clientSignatureInvalid({ why: 'the message is not about a login' })
  if (usage.tokenId !== token.id)
    throw clientSignatureInvalid({ why: 'the message is about another verification token' })
  if (!sameHex(usage.publicKey, publicKey))
    throw clientSignatureInvalid({ why: 'the message is about another publicKey' })
}

function sameHex(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
