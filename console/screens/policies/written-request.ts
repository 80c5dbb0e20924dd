/** A request as it is tried: the type is undefined where the text does not say it. */
type WrittenRequest = { readonly type: string | undefined; readonly parameters: object }

/**
 * A request out of JSON: its parameters alone, a whole request, an activity, or what the page of an activity shows as
 * asked for (`{ "createUserTagIntent": { … } }`).
 *
 * @returns  undefined where the text is no JSON of an object
 */
export function requestIn(text: string): WrittenRequest | undefined {
  const written = objectIn(text)
  if (written === undefined) return undefined
  const { type, parameters, intent } = written
  const named = typeof type === 'string' ? type : undefined
  if (isObject(parameters)) return { type: named, parameters }
  return ofIntent(isObject(intent) ? intent : written, named) ?? { type: undefined, parameters: written }
}

function ofIntent(intent: Fields, type: string | undefined): WrittenRequest | undefined {
  const [only, ...others] = Object.entries(intent)
  if (only === undefined || others.length > 0) return undefined
  const [key, parameters] = only
  const [, name, version = ''] = /^(\w+)Intent(V\d+)?$/.exec(key) ?? []
  if (name === undefined || !isObject(parameters)) return undefined
  const words = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
  return { type: type ?? `ACTIVITY_TYPE_${words}${version && `_${version}`}`, parameters }
}

type Fields = { readonly [name: string]: unknown }

function objectIn(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
