/** What of a request is shown decoded: the words by which policies name it (docs/policy-vocabulary.md). */
export type DecodedField = {
  readonly path: string
  readonly type: 'text' | 'number' | 'bool' | 'texts'
}

/** A list of things that a transaction does, each with these fields. */
type DecodedList = { readonly path: string; readonly fields: readonly DecodedField[] }

const text = (path: string): DecodedField => ({ path, type: 'text' })
const number = (path: string): DecodedField => ({ path, type: 'number' })

export const DECODED_FIELDS: readonly DecodedField[] = [
  text('eth.tx.type'),
  number('eth.tx.chain_id'),
  text('eth.tx.from'),
  text('eth.tx.to'),
  number('eth.tx.value'),
  number('eth.tx.nonce'),
  number('eth.tx.gas'),
  number('eth.tx.gas_price'),
  number('eth.tx.max_fee_per_gas'),
  number('eth.tx.max_fee_per_blob_gas'),
  text('eth.tx.data'),
  text('eth.tx.function_name'),
  text("eth.tx.contract_call_args['']"),
  text('eth.eip_712.primary_type'),
  text('eth.eip_712.domain.name'),
  number('eth.eip_712.domain.chain_id'),
  text('eth.eip_712.domain.verifying_contract'),
  text("eth.eip_712.message['']"),
  text('eth.eip_7702_authorization.address'),
  number('eth.eip_7702_authorization.chain_id'),
  number('eth.eip_7702_authorization.nonce'),
  { path: 'solana.tx.program_keys', type: 'texts' },
  text('tron.tx.data'),
  number('tron.tx.fee_limit'),
  number('bitcoin.tx.fee'),
  number('tempo.tx.chain_id'),
  text('tempo.tx.from'),
  text('tempo.tx.fee_token'),
  number('tempo.tx.gas_limit'),
  number('tempo.tx.max_fee_per_gas'),
  number('aptos.tx.chain_id'),
  text('aptos.tx.sender'),
  text('aptos.tx.function'),
  number('aptos.tx.max_gas_amount'),
  number('aptos.tx.gas_unit_price'),
  { path: 'aptos.tx.arguments', type: 'texts' },
  { path: 'payload.opaque', type: 'bool' },
]

export const DECODED_LISTS: readonly DecodedList[] = [
  { path: 'solana.tx.transfers', fields: [text('from'), text('to'), number('amount')] },
  {
    path: 'solana.tx.spl_transfers',
    fields: [text('from'), text('to'), number('amount'), text('owner'), text('token_mint')],
  },
  { path: 'solana.tx.instructions', fields: [text('program_key'), text('instruction_data_hex')] },
  { path: 'bitcoin.tx.outputs', fields: [text('address'), number('value'), text('script_pubkey')] },
  {
    path: 'tron.tx.contract',
    fields: [
      text('type'),
      text('owner_address'),
      text('to_address'),
      number('amount'),
      text('contract_address'),
      number('call_value'),
      text('data'),
    ],
  },
  { path: 'tempo.tx.calls', fields: [text('to'), text('input'), text('function_signature')] },
  { path: 'aptos.tx.transfers', fields: [text('from'), text('to'), number('amount'), text('asset')] },
]
