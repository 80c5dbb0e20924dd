import type { Activity } from '../catalogue/activity.ts'
import { kindOf } from '../catalogue/form.ts'
import {
  anything,
  fields,
  type AbstractRequest,
  oneOf,
  type AbstractValue,
  type AbstractFacts,
  abstractFactsOf,
} from '../policy/lint/abstract-request.ts'
import type { Vocabulary } from '../policy/types.ts'
import { bitcoinNamespace } from './signing/bitcoin-namespace.ts'
import { ethNamespace } from './signing/eth-namespace.ts'
import { solanaNamespace } from './signing/solana-namespace.ts'
import { tempoNamespace } from './signing/tempo-namespace.ts'
import { tronNamespace } from './signing/tron-namespace.ts'

/** Every way in which an activity may come that policies decide about; a lint looks at policies against them. */
export function abstractRequestsOf(activities: readonly Activity[]): readonly AbstractRequest[] {
  return activities
    .filter(({ authority, vote }) => authority.kind !== 'rootQuorum' && vote === undefined)
    .flatMap((activity) => {
      const kinds = [...new Set(activity.forms.map(({ type }) => kindOf(type)))]
      return kinds.flatMap((kind) => abstractRequestsOfKind(activity, kind))
    })
}

function abstractRequestsOfKind(activity: Activity, kind: string): readonly AbstractRequest[] {
  const types = activity.forms.map(({ type }) => type).filter((type) => kindOf(type) === kind)
  const { resource, action, params, authority, namespaces = {} } = activity
  return contentsOf(kind).flatMap((content) =>
    signersOf(namespaces).map((signer) => {
      const about = fields({
        type: oneOf(...types),
        kind: oneOf(kind),
        resource: oneOf(resource),
        action: oneOf(action),
        organization_id: anything,
        params: fields({ ...abstractFactsOf(params?.types ?? {}), ...content.params }),
      })
      return {
        name: [kind, content.name, signer.name].filter((text) => text !== '').join(' '),
        kind,
        ...(signer.name === '' ? {} : { signer: signer.name }),
        isOpaque: content.isOpaque,
        ...(authority.kind === 'ownCredentials' ? { isOwn: true as const } : {}),
        facts: { activity: about, usage: anything, ...signer.facts, ...content.facts },
      }
    }),
  )
}

type Content = {
  readonly name: string
  readonly isOpaque: boolean
  readonly params: AbstractFacts
  readonly facts: AbstractFacts
}

const NO_CONTENT: Content = { name: '', isOpaque: false, params: {}, facts: {} }

function contentsOf(kind: string): readonly Content[] {
  if (kind === 'SIGN_TRANSACTION') return TRANSACTIONS
  return kind === 'SIGN_RAW_PAYLOAD' || kind === 'SIGN_RAW_PAYLOADS' ? PAYLOADS : [NO_CONTENT]
}

/** What some requests have and others have not. */
const NO_INTERFACE = 'when no interface of the contract is uploaded, or it does not have the function called'
const OTHER_TYPE = 'when the transaction is of a type without it'
const NO_DOMAIN_FIELD = 'when the domain of the typed data does not have it'

const ethereum = lacking(fields(abstractFactsOf({ eth: ethNamespace })), {
  'eth.tx.function_name': NO_INTERFACE,
  'eth.tx.function_signature': NO_INTERFACE,
  'eth.tx.contract_call_args': NO_INTERFACE,
  'eth.tx.max_fee_per_gas': OTHER_TYPE,
  'eth.tx.max_priority_fee_per_gas': OTHER_TYPE,
  'eth.tx.max_fee_per_blob_gas': OTHER_TYPE,
  'eth.eip_712.domain.name': NO_DOMAIN_FIELD,
  'eth.eip_712.domain.chain_id': NO_DOMAIN_FIELD,
  'eth.eip_712.domain.verifying_contract': NO_DOMAIN_FIELD,
})

/** Of `eth`, one part at a time. */
function ethPart(part: 'tx' | 'eip_712' | 'eip_7702_authorization'): AbstractFacts {
  return { eth: fields({ [part]: under(ethereum, ['eth', part]) }) }
}

const CHAINS: readonly { readonly name: string; readonly facts: AbstractFacts }[] = [
  { name: 'ETHEREUM', facts: ethPart('tx') },
  { name: 'SOLANA', facts: abstractFactsOf(solanaNamespace) },
  { name: 'TRON', facts: abstractFactsOf(tronNamespace) },
  { name: 'BITCOIN', facts: abstractFactsOf(bitcoinNamespace) },
  { name: 'TEMPO', facts: abstractFactsOf({ tempo: tempoNamespace }) },
]

const TRANSACTIONS: readonly Content[] = CHAINS.map(({ name, facts }) => ({
  name: `of ${name}`,
  isOpaque: false,
  params: { type: oneOf(`TRANSACTION_TYPE_${name}`) },
  facts,
}))

const BYTES = oneOf('PAYLOAD_ENCODING_HEXADECIMAL', 'PAYLOAD_ENCODING_TEXT_UTF8')

const PAYLOADS: readonly Content[] = [
  payload('of bytes that show nothing', BYTES, undefined),
  payload('of typed data', oneOf('PAYLOAD_ENCODING_EIP712'), ethPart('eip_712')),
  payload(
    'of an authorization',
    oneOf(
      'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION',
      'PAYLOAD_ENCODING_HEXADECIMAL',
      'PAYLOAD_ENCODING_TEXT_UTF8',
    ),
    ethPart('eip_7702_authorization'),
  ),
  ...CHAINS.filter(({ name }) => name !== 'BITCOIN').map(({ name, facts }) =>
    payload(`of the bytes of a transaction of ${name}`, BYTES, facts),
  ),
  // Never the whole transaction: it counts as opaque, whatever is shown of it.
  payload('of what a digest of Bitcoin is taken of', BYTES, abstractFactsOf(bitcoinNamespace), true),
]

function payload(
  name: string,
  encoding: AbstractValue,
  seen: AbstractFacts | undefined,
  isOpaque = seen === undefined,
): Content {
  const facts = { ...seen, payload: fields({ opaque: oneOf(isOpaque) }) }
  return { name, isOpaque, params: { encoding }, facts }
}

type Signer = { readonly name: string; readonly facts: AbstractFacts }

/** What signs is a private key or an account of a wallet, and of the account nothing but the address is told. */
function signersOf(namespaces: Vocabulary): readonly Signer[] {
  const { private_key: key, wallet, wallet_account: account, wallets, secret } = namespaces
  if (key !== undefined && wallet !== undefined && account !== undefined) {
    return [
      { name: 'with a private key', facts: abstractFactsOf({ private_key: key }) },
      {
        name: 'with a wallet account',
        facts: { ...abstractFactsOf({ wallet }), wallet_account: fields({ address: anything }) },
      },
    ]
  }
  const own = Object.entries({ private_key: key, wallet, wallet_account: account, wallets, secret })
  const present = own.flatMap(([name, type]) => (type === undefined ? [] : [[name, type] as const]))
  // Keywords that nothing above knows of: they may be there.
  const known = [...own.map(([name]) => name), 'eth', 'tempo', 'bitcoin', 'solana', 'tron', 'payload']
  const others = Object.keys(namespaces).filter((name) => !known.includes(name))
  const facts = {
    ...abstractFactsOf(Object.fromEntries(present)),
    ...Object.fromEntries(others.map((name) => [name, anything])),
  }
  return [{ name: '', facts }]
}

function under(abstractValue: AbstractValue, path: readonly string[]): AbstractValue {
  const [name, ...rest] = path
  if (name === undefined || abstractValue.kind !== 'fields') return abstractValue
  return under(abstractValue.fields[name] ?? anything, rest)
}

/** @param paths  what a request may lack, by its path, and when */
function lacking(
  abstractValue: AbstractValue,
  paths: { readonly [path: string]: string },
  at: readonly string[] = [],
): AbstractValue {
  const lacks = paths[at.join('.')]
  if (lacks !== undefined) return { kind: 'anything', lacks }
  if (abstractValue.kind !== 'fields') return abstractValue
  return fields(
    Object.fromEntries(
      Object.entries(abstractValue.fields).map(([name, one]) => [
        name,
        one && lacking(one, paths, [...at, name]),
      ]),
    ),
  )
}
