import type { Activity } from '../catalogue/activity.ts'
import { kindOf } from '../catalogue/form.ts'
import type { Chain, PayloadRule } from '../chains/chain.ts'
import { chains } from '../chains/list.ts'
import { BYTES_ENCODINGS } from '../chains/raw-bytes.ts'
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

/** All abstract requests that policies may decide; the lint checks policies against them. */
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
        contents: content.contents,
        ...(authority.kind === 'ownCredentials' ? { isOwn: true as const } : {}),
        facts: { activity: about, usage: anything, ...signer.facts, ...content.facts },
      }
    }),
  )
}

type Content = Pick<AbstractRequest, 'isOpaque' | 'contents'> & {
  readonly name: string
  readonly params: AbstractFacts
  readonly facts: AbstractFacts
}

const NO_CONTENT: Content = { name: '', isOpaque: false, contents: [], params: {}, facts: {} }

function contentsOf(kind: string): readonly Content[] {
  if (kind === 'SIGN_TRANSACTION') return TRANSACTIONS
  return kind === 'SIGN_RAW_PAYLOAD' || kind === 'SIGN_RAW_PAYLOADS' ? PAYLOADS : [NO_CONTENT]
}

/** One part at a time of the facts that a chain may show. */
function partOf({ keyword, namespace, lacks = {} }: Chain, part: string): AbstractFacts {
  const all = lacking(fields(abstractFactsOf(namespace)), lacks)
  return { [keyword]: fields({ [part]: under(all, [part]) }) }
}

const TRANSACTIONS: readonly Content[] = chains.flatMap((chain) => {
  const { name, keyword, transaction } = chain
  if (transaction === undefined) return []
  return [
    {
      name: `of ${name.toUpperCase()}`,
      isOpaque: false,
      contents: [keyword],
      params: { type: oneOf(transaction.type) },
      facts: partOf(chain, 'tx'),
    },
  ]
})

const PAYLOADS: readonly Content[] = [
  payload({ name: 'of bytes that show nothing', encodings: BYTES_ENCODINGS, isOpaque: true }),
  ...chains.flatMap((chain) =>
    (chain.encodings ?? []).map(({ what, encoding, isSeenInBytes, part }) =>
      payload({
        name: `of ${what}`,
        encodings: [encoding, ...(isSeenInBytes ? BYTES_ENCODINGS : [])],
        isOpaque: false,
        shows: { keyword: chain.keyword, facts: partOf(chain, part) },
      }),
    ),
  ),
  ...chains.flatMap((chain) => ofBytes(chain, 'whole')),
  ...chains.flatMap((chain) => ofBytes(chain, 'part')),
]

function ofBytes(chain: Chain, shown: PayloadRule['shows']): readonly Content[] {
  const { name, keyword } = chain
  if (chain.payload?.shows !== shown) return []
  return [
    payload({
      name:
        shown === 'whole'
          ? `of the bytes of a transaction of ${name.toUpperCase()}`
          : `of what a digest of ${name} is taken of`,
      encodings: BYTES_ENCODINGS,
      // A part is never the whole transaction, so it counts as opaque.
      isOpaque: shown === 'part',
      shows: { keyword, facts: partOf(chain, 'tx') },
    }),
  ]
}

function payload(of: {
  readonly name: string
  readonly encodings: readonly string[]
  readonly isOpaque: boolean
  readonly shows?: { readonly keyword: string; readonly facts: AbstractFacts }
}): Content {
  const { name, encodings, isOpaque, shows } = of
  return {
    name,
    isOpaque,
    contents: shows === undefined ? [] : [shows.keyword],
    params: { encoding: oneOf(...encodings) },
    facts: { ...shows?.facts, payload: fields({ opaque: oneOf(isOpaque) }) },
  }
}

type Signer = { readonly name: string; readonly facts: AbstractFacts }

/** The signer is a private key or a wallet account; of the account, only the address is shown. */
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
  // Further keywords, which may be present.
  const known = [...own.map(([name]) => name), ...chains.map(({ keyword }) => keyword), 'payload']
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

/** @param paths  the paths that a request may lack, with the condition */
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
