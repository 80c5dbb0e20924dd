import { costs } from '../../trusted/base/costs.ts'
import { defineFailure, INVALID_ARGUMENT } from '../../trusted/base/failure.ts'
import type { Steps } from '../../trusted/base/work.ts'
import type { ObjectKind } from '../../trusted/catalogue/objects.ts'
import type { Reader } from '../../trusted/catalogue/query.ts'
import type { ObjectRow } from '../../trusted/catalogue/unit.ts'

const listTooLong = defineFailure<{ readonly charactersMax: number }>({
  kind: 'listTooLong',
  code: INVALID_ARGUMENT,
  say: ({ charactersMax }) =>
    `the list is too long: its answer would have more than ${charactersMax} characters; ask for the entries one by one, by their ids`,
})

/** Some 100,000 private keys with several addresses each. */
const CHARACTERS_MAX = 128 * 1024 * 1024

/**
 * The JSON text of a list that has no pages. It grows page by page, so that neither the rows nor the objects of the
 * whole list are in memory at once, and the event loop is not held for the whole list.
 *
 * @param pages  the checked rows
 * @throws Failure `listTooLong`
 */
export async function listText<B>(
  pages: AsyncIterable<readonly ObjectRow[]>,
  { parse }: Pick<ObjectKind<B>, 'parse'>,
  { view, through }: { readonly view: (body: B) => object } & Pick<Reader, 'through'>,
): Promise<string> {
  let text = ''
  for await (const rows of pages) {
    const more = await through(textOf(rows, (row) => JSON.stringify(view(parse(row.body)))))
    if (text.length + more.length > CHARACTERS_MAX) throw listTooLong({ charactersMax: CHARACTERS_MAX })
    text += text === '' || more === '' ? more : `,${more}`
  }
  return `[${text}]`
}

function* textOf(rows: readonly ObjectRow[], write: (row: ObjectRow) => string): Steps<string> {
  const texts: string[] = []
  for (const row of rows) {
    yield row.body.length * costs.rowCharacter
    texts.push(write(row))
  }
  return texts.join(',')
}
