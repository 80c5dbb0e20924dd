// Derived by `npm run derive` from the list of chains.
export const KNOWN_CHAINS = [
  {"keyword":"eth","transaction":"TRANSACTION_TYPE_ETHEREUM","hashFunction":"HASH_FUNCTION_KECCAK256","begins":"^(0[1-5]|[c-f])","encodings":[{"encoding":"PAYLOAD_ENCODING_EIP712","part":"eip_712"},{"encoding":"PAYLOAD_ENCODING_EIP7702_AUTHORIZATION","part":"eip_7702_authorization"}]},
  {"keyword":"solana","transaction":"TRANSACTION_TYPE_SOLANA","hashFunction":"HASH_FUNCTION_NOT_APPLICABLE","begins":"^(?!5efa3c4f)([0-7]|80)","encodings":[]},
  {"keyword":"tron","transaction":"TRANSACTION_TYPE_TRON","hashFunction":"HASH_FUNCTION_SHA256","begins":"^(0[89abd]|[1-9a-f][0-3589abd])","encodings":[]},
  {"keyword":"bitcoin","transaction":"TRANSACTION_TYPE_BITCOIN","hashFunction":"HASH_FUNCTION_SHA256","begins":"^(0[1-3]000000|70736274ff|f40a48df)","encodings":[]},
  {"keyword":"tempo","transaction":"TRANSACTION_TYPE_TEMPO","hashFunction":"HASH_FUNCTION_KECCAK256","begins":"^76","encodings":[]},
  {"keyword":"aptos","transaction":"","hashFunction":"HASH_FUNCTION_NOT_APPLICABLE","begins":"^(b5e97db0|5efa3c4f)","encodings":[]},
] as const

export const HASH_FUNCTIONS: readonly string[] = ["HASH_FUNCTION_NO_OP","HASH_FUNCTION_SHA256","HASH_FUNCTION_KECCAK256","HASH_FUNCTION_NOT_APPLICABLE"]
