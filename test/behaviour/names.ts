/** An id, an address or a fingerprint. */
const NAME =
  /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|0x[0-9a-fA-F]{40}|sha256:[0-9a-f]{64})$/

export function namesIn(value: unknown): readonly string[] {
  const names = new Set<string>()
  JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'string' && NAME.test(inner)) names.add(inner)
    return inner
  })
  return [...names]
}

/** Another name of the same kind, for the same name always the same. */
function invented(name: string): string {
  return `${name.slice(0, -4)}${name.endsWith('dead') ? 'beef' : 'dead'}`
}

export function renamed(value: object): object {
  return JSON.parse(inventedText(JSON.stringify(value), value))
}

export function inventedText(text: string, names: object): string {
  return namesIn(names).reduce((so, name) => so.replaceAll(name, invented(name)), text)
}
