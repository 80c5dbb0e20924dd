import type { Query } from '../../src/trusted/catalogue/query.ts'
import type { JsonAnswer } from '../support/service.ts'
import type { Setting } from './fixture.ts'
import { idsIn, inPlace, isMade, fixtures } from './fixtures.ts'

/**
 * Makes what the example of a query asks about, and what its answer tells of, in the organization of this root user.
 *
 * @returns the example with the ids of what was made
 */
export async function preparedQuery(
  { service, by }: Pick<Setting, 'service' | 'by'>,
  { operation, example, response }: Query,
): Promise<JsonAnswer> {
  const fixture = fixtures.get(operation)
  if (fixture !== undefined) return (await fixture({ service, by, example })).parameters
  const idOf = idsIn({ service, by })
  const parameters = await inPlace(example, idOf)
  for (const name of idsToldOf(response.schema)) await idOf(name)
  return parameters
}

/** Of what can be made: ids anywhere in the answer, and of the things that its lists are named after. */
function idsToldOf(schema: JsonAnswer): ReadonlySet<string> {
  const names = new Set<string>()
  JSON.stringify(schema, (name, inner: unknown) => {
    const one = `${name.replace(/ies$/, 'y').replace(/s$/, '')}Id`
    for (const id of [name, name.replace(/s$/, ''), one]) if (isMade(id)) names.add(id)
    return inner
  })
  return names
}
