import {
  type ClientSignature,
  clientSignatureInvalid,
  readClientSignature,
} from '../../crypto/client-signature.ts'
import type { VerificationToken } from '../../crypto/verification-token.ts'

type Usage = Awaited<ReturnType<typeof readClientSignature>>
type UsageOf<K extends Usage['kind']> = Extract<Usage, { readonly kind: K }>

const ABOUT: { readonly [K in Usage['kind']]: string } = { login: 'a login', signup: 'a sign-up' }

/**
 * The use of a verification token that the holder of its key has signed: only they may use a token that is bound to a
 * key. Texts are compared by meaning, not by spelling. For `verify`.
 *
 * @returns  undefined for a token that is bound to no key
 * @throws   Failure `clientSignatureInvalid`
 */
export async function signedUsage<K extends Usage['kind']>(
  token: VerificationToken,
  clientSignature: ClientSignature | undefined,
  kind: K,
): Promise<UsageOf<K> | undefined> {
  if (token.publicKey === undefined) {
    // An unchecked signature would look like a proof to its sender.
    if (clientSignature !== undefined)
      throw clientSignatureInvalid({ why: 'the verification token is bound to no key' })
    return undefined
  }
  if (clientSignature === undefined)
    throw clientSignatureInvalid({ why: 'it is missing, and the verification token is bound to a key' })
  const usage = await readClientSignature(clientSignature)
  if (clientSignature.publicKey.toLowerCase() !== token.publicKey.toLowerCase())
    throw clientSignatureInvalid({ why: 'its key is not the one that the verification token is bound to' })
  if (!isOf(usage, kind)) throw clientSignatureInvalid({ why: `the message is not about ${ABOUT[kind]}` })
  if (usage.tokenId !== token.id)
    throw clientSignatureInvalid({ why: 'the message is about another verification token' })
  return usage
}

function isOf<K extends Usage['kind']>(usage: Usage, kind: K): usage is UsageOf<K> {
  return usage.kind === kind
}
