import { amountOf } from './amounts.ts'
import { asData, type Data, inSentence } from './data.ts'

/** A part of a condition in words; the values in it are the policy's and stand beside it as data. */
type Clause = { readonly says: string; readonly expression: Data }

/** The parts that a condition joins with `&&`, each in words. */
export function conditionInWords(condition: string): readonly Clause[] {
  return topLevelParts(condition).map((part) => ({ says: clause(part), expression: asData(part, 1_000) }))
}

type Pattern = readonly [RegExp, (...values: readonly string[]) => string]

const PATTERNS: readonly Pattern[] = [
  [/^usage\.user == '[\w-]+'$/, () => 'only requests of the user that it names'],
  [/^activity\.kind == '(\w+)'$/, (kind) => `only requests of the kind ${word(kind)}`],
  [/^activity\.kind in \[([^\]]*)\]$/, (kinds) => `only requests of these kinds: ${words(kinds)}`],
  [/^activity\.action == '(\w+)'$/, (action) => `only requests whose action is ${word(action)}`],
  [/^activity\.params\.type == '(\w+)'$/, (type) => `only ${word(type)}`],
  [/^eth\.tx\.chain_id == (\d+)$/, (id) => `only on chain ${id}`],
  [/^eth\.tx\.chain_id in \[([\d, ]*)\]$/, (ids) => `only on the chains ${ids}`],
  [/^eth\.tx\.to == '(\w+)'$/, (to) => `only to ${word(to)}`],
  [/^eth\.tx\.to in \[([^\]]*)\]$/, (to) => `only to these addresses: ${words(to)}`],
  [/^eth\.tx\.data == '0x'$/, () => 'only plain transfers, no contract calls'],
  [/^wallet\.id == '([\w-]+)'$/, (id) => `only with the accounts of the wallet ${word(id)}`],
  [/^wallet_account\.address == '(\w+)'$/, (address) => `only with the account ${word(address)}`],
  [/^wallet_account\.address in \[([^\]]*)\]$/, (list) => `only with these accounts: ${words(list)}`],
  [/^private_key\.id == '([\w-]+)'$/, (id) => `only with the private key ${word(id)}`],
  [/^([\w.]+) (<=|<) (\d+)$/, (field, sign, most) => `${field} ${limit(field, sign, most)}`],
  [
    /^usage\.sum\((.+), '((?:\d+[dhm])+)'(?:, [\w., ]+)?\) (<=|<) (\d+)$/,
    (amount, window, sign, most) => `in ${window} together ${limit(amount, sign, most)}`,
  ],
  [
    /^usage\.count\('((?:\d+[dhm])+)'(?:, [\w., ]+)?\) (<=|<) (\d+)$/,
    (window, sign, most) => `in ${window} ${sign === '<' ? 'fewer than' : 'at most'} ${most} requests`,
  ],
]

function clause(part: string): string {
  // Patterns with two open ends take as long as the square of a text.
  if (part.length > PART_CHARACTERS_MAX) return OTHERWISE
  for (const [pattern, say] of PATTERNS) {
    const found = pattern.exec(part)
    if (found !== null) return say(...found.slice(1))
  }
  return OTHERWISE
}

const PART_CHARACTERS_MAX = 2_000
const OTHERWISE = 'only where the expression is true'

function limit(field: string, sign: string, most: string): string {
  const { units, coins } = amountOf(field, BigInt(most))
  return `${sign === '<' ? 'less than' : 'at most'} ${units}${coins === undefined ? '' : ` (${coins})`}`
}

/** `'a', 'b'` */
function words(list: string): string {
  return list
    .split(',')
    .map((item) => word(item.trim().replace(/^'(.*)'$/, '$1')))
    .join(', ')
}

function word(text: string): string {
  return inSentence(text.replaceAll('_', '-')) === '(in the data)' ? '(in the data)' : text
}

/** Split at `&&` outside of quotes and brackets; strings of the language have no escapes. */
function topLevelParts(condition: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let isQuoted = false
  let from = 0
  for (let at = 0; at < condition.length; at += 1) {
    const character = condition[at] ?? ''
    if (character === "'") isQuoted = !isQuoted
    if (isQuoted) continue
    if ('([{'.includes(character)) depth += 1
    if (')]}'.includes(character)) depth -= 1
    // What an || joins is one part, however it goes on.
    if (depth === 0 && condition.startsWith('||', at)) return [condition.trim()]
    if (depth === 0 && condition.startsWith('&&', at)) {
      parts.push(condition.slice(from, at).trim())
      from = at + 2
    }
  }
  return [...parts, condition.slice(from).trim()]
}

/**
 * Who has to ask and to approve, as far as that follows from the text; what it means for this user. Only a part that
 * has to hold in any case is put into words: one that is denied, or stands beside an alternative, says something else.
 */
export function consensusInWords({ effect, consensus }: Decisive, userId: string): Clause {
  const words = WORDS[effect === 'EFFECT_DENY' ? 'denies' : 'allows']
  const expression = asData(consensus, 1_000)
  if (consensus === '') return { says: words.none, expression }
  const parts = topLevelParts(consensus)
  const isCounted = parts.some((part) => idsCountedIn(part).includes(`'${userId}'`))
  const count = parts.flatMap((part) => /^approvers\.count\(\) >= (\d+)$/.exec(part)?.[1] ?? [])[0]
  const mine = isCounted ? words.counted : words.otherwise
  return { says: `${mine}${count === undefined ? '' : words.number(count)}`, expression }
}

type Decisive = { readonly effect: string; readonly consensus: string }

/** A consensus that allows asks for approvals, and one that denies is content with the approvals that it denies. */
const WORDS = {
  allows: {
    none: 'any user may ask, and no one else has to approve',
    counted: 'you count by your id',
    otherwise: 'users count by tag or in another way',
    number: (count: string) => `; ${count} users have to approve, the one who asks among them`,
  },
  denies: {
    none: 'regardless of who asks or approves',
    counted: 'only where you ask or approve',
    otherwise: 'only where the expression is true of those who ask and approve',
    number: (count: string) => `; only from ${count} users on, the one who asks among them`,
  },
}

/** Of `approvers.any(u, u.id == 'a')` and `approvers.any(u, u.id in ['a', 'b'])`, with their quotes. */
function idsCountedIn(part: string): readonly string[] {
  const [, , id = '', list = ''] =
    /^approvers\.any\((\w+), \1\.id (?:== ('[^']*')|in \[([^\]]*)\])\)$/.exec(part) ?? []
  return [id, ...list.split(',').map((item) => item.trim())]
}
