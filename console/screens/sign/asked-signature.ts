import type { Asked } from '../../readers/signature.ts'
import { toHex, utf8 } from '../../service/bytes.ts'

/** What somebody wants signed. Raw bytes are a digest: they alone may be something that no reader knows. */
export type Kind = 'transaction' | 'ethereumMessage' | 'message' | 'typedData' | 'raw'

type Payload = Extract<Asked, { payload: string }>
type Request = { readonly type: string; readonly parameters: Asked }

/** @param chain  the type of a transaction, such as `TRANSACTION_TYPE_ETHEREUM`; of no matter otherwise */
export function askedSignature(kind: Kind, signWith: string, chain: string, text: string): Request {
  if (kind === 'transaction')
    return {
      type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
      parameters: { signWith, type: chain, unsignedTransaction: text.trim() },
    }
  return { type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters: { signWith, ...payloadOf(kind, text) } }
}

function payloadOf(kind: Exclude<Kind, 'transaction'>, text: string): Omit<Payload, 'signWith'> {
  switch (kind) {
    case 'ethereumMessage':
      return {
        payload: toHex(personalMessage(text)),
        encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
        hashFunction: 'HASH_FUNCTION_KECCAK256',
      }
    case 'message':
      return {
        payload: text,
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
      }
    case 'typedData':
      return { payload: text, encoding: 'PAYLOAD_ENCODING_EIP712', hashFunction: 'HASH_FUNCTION_NO_OP' }
    case 'raw':
      return {
        payload: text.trim(),
        encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
        hashFunction: 'HASH_FUNCTION_NO_OP',
      }
  }
}

/** ERC-191, version 0x45: the length is that of the bytes, in decimal. */
function personalMessage(text: string): Uint8Array {
  const message = utf8(text)
  return Uint8Array.from([...utf8(`\x19Ethereum Signed Message:\n${message.length}`), ...message])
}
