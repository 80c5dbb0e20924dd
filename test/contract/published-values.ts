import assert from 'node:assert/strict'
import { contract } from './facts.ts'

/** Where a value of this service alone may stand: under names that no published client reads. */
const APART: ReadonlySet<string> = new Set([
  'serviceFeatures',
  'setServiceFeatureIntent',
  'removeServiceFeatureIntent',
])

const values = new Set(Object.values(contract.enums).flat())
const prefixes = Object.values(contract.enums)
  .map(prefixOf)
  .filter((prefix) => prefix.length > 3)

/**
 * Sees that every value of an answer which looks like one of a published enum is one: a strict client refuses the whole
 * answer for another.
 */
export function assertPublishedValues(json: unknown, at = ''): void {
  if (typeof json === 'string') {
    const isLike = prefixes.some((prefix) => json.startsWith(prefix)) && /^[A-Z0-9_]+$/.test(json)
    assert.ok(!isLike || values.has(json), `${at} is ${json}, which is in no published enum`)
  } else if (Array.isArray(json))
    json.forEach((item, index) => assertPublishedValues(item, `${at}[${index}]`))
  else if (typeof json === 'object' && json !== null)
    for (const [name, value] of Object.entries(json))
      if (!APART.has(name)) assertPublishedValues(value, `${at}.${name}`)
}

/** `FEATURE_NAME_`: what all values of an enum begin with, up to an underscore. */
function prefixOf(names: readonly string[]): string {
  const [first = ''] = names
  let length = first.length
  for (const name of names) while (!name.startsWith(first.slice(0, length))) length -= 1
  const common = first.slice(0, length)
  return common.slice(0, common.lastIndexOf('_') + 1)
}
