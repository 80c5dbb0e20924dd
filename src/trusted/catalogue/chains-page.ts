import { addressFormats, curvesOf, signingScheme } from '../chains/address-format.ts'
import type { Chain } from '../chains/chain.ts'
import type { Type } from '../policy/types.ts'
import { markdownPage } from './markdown-page.ts'

/** What is read of each chain, and in which formats addresses come, in Markdown, derived from the declarations. */
export function chainsPage(chains: readonly Chain[]): string {
  return markdownPage([
    '# Chains and address formats',
    'Derived by `npm run derive` from `src/trusted/chains/list.ts` and `src/trusted/chains/address-format.ts`. How a chain is added stands in [ARCHITECTURE.md](../ARCHITECTURE.md#adding-a-chain).',
    '## Chains whose transactions are read',
    table(
      ['chain', 'keys', '`sign_transaction`', 'raw payloads', 'keyword', 'compared with'],
      chains.map((chain) => [
        chain.name,
        code(chain.curve),
        chain.transaction === undefined ? '' : code(chain.transaction.type),
        rawPayloads(chain).join('<br>'),
        code(chain.keyword),
        chain.comparedWith.length === 0 ? 'vectors' : chain.comparedWith.join(', '),
      ]),
    ),
    'Raw payloads are bytes that come with the hash function named here, or texts in the encoding named here. What policies may name under a keyword stands in [policy-vocabulary.md](policy-vocabulary.md); bytes of which a part is shown count as opaque ([raw signing](decisions/raw-signing.md)). The last column names the libraries of others that the tests compare the reader with.',
    '## Compared without regard to case',
    table(
      ['chain', 'fields'],
      chains.flatMap((chain) => {
        const fields = caselessFields(chain)
        return fields.length === 0 ? [] : [[chain.name, fields.map(code).join('<br>')]]
      }),
    ),
    '## Examples',
    'Each is hexadecimal, and can be signed by the key of its address. The key is a constant for tests.',
    ...chains.flatMap(({ name, example: { signWith, unsigned } }) => [
      `${name}, with \`${signWith}\`:`,
      ['```', ...(unsigned.match(/.{1,112}/g) ?? []), '```'].join('\n'),
    ]),
    '## Address formats',
    table(
      ['format', 'keys', 'signs'],
      addressFormats.map((format) => [
        code(format),
        curvesOf(format).map(code).join(', '),
        SCHEMES[signingScheme(format)],
      ]),
    ),
  ])
}

const SCHEMES = {
  curve: '',
  schnorr: 'Schnorr (BIP-340)',
  taproot: 'Schnorr (BIP-340), tweaked (BIP-341)',
}

function rawPayloads({ payload, encodings = [] }: Chain): readonly string[] {
  const part = payload?.shows === 'part' ? ' (a part is shown)' : ''
  return [
    ...(payload === undefined ? [] : [`${code(payload.hashFunction)}${part}`]),
    ...encodings.map(({ encoding }) => code(encoding)),
  ]
}

function caselessFields({ keyword, namespace }: Chain): readonly string[] {
  return Object.entries(namespace).flatMap(([part, type]) => caselessIn(type, `${keyword}.${part}`))
}

function caselessIn(type: Type, path: string): readonly string[] {
  if (type.kind === 'string') return type.isCaseless ? [path] : []
  if (type.kind === 'list') return caselessIn(type.of, `${path}[]`)
  if (type.kind !== 'struct') return []
  return Object.entries(type.fields).flatMap(([name, inner]) => caselessIn(inner, `${path}.${name}`))
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

function code(text: string): string {
  return `\`${text}\``
}
