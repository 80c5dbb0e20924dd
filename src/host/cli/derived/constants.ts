import { globSync, readFileSync } from 'node:fs'

/** The texts and numbers of the sources with names in capitals; most are private to their file. */
export type Constants = {
  /** The value for display, from that file or otherwise from any other. */
  readonly shown: (path: string, name: string) => string | undefined
  /** @throws Error  if that file has no such number */
  readonly number: (path: string, name: string) => number
}

/** Every source of the service by its path, without tests. */
export function sourceTexts(root: URL): ReadonlyMap<string, string> {
  const paths = globSync('src/**/*.ts', { cwd: root }).filter((path) => !/\.test\.ts$|\/testing\//.test(path))
  return new Map(paths.toSorted().map((path) => [path, readFileSync(new URL(path, root), 'utf8')]))
}

export function constantsOf(sources: ReadonlyMap<string, string>): Constants {
  const byPath = new Map([...sources].map(([path, text]) => [path, constantsIn(text)]))
  const all = new Map([...byPath.values()].flatMap((constants) => [...constants]))
  return {
    shown: (path, name) => byPath.get(path)?.get(name) ?? all.get(name),
    number: (path, name) => {
      const value = Number(byPath.get(path)?.get(name))
      if (!Number.isFinite(value)) throw new Error(`${path} has no number called ${name}`)
      return value
    },
  }
}

const DECLARED = /^(?:export )?const ([A-Z][A-Z0-9_]+)(?:: [^=]+)? = (["'])?(.+?)\2$/gm

function constantsIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(DECLARED)].flatMap(([, name = '', quote, value = '']) => {
      if (quote !== undefined) return [[name, value] as const]
      const list = /^\[([\d, ]+)\](?: as const)?$/.exec(value)?.[1]
      if (list !== undefined) return [[name, list] as const]
      const factors = value.replaceAll('_', '').split(' * ').map(Number)
      const product = factors.reduce((a, b) => a * b, 1)
      return Number.isFinite(product) ? [[name, String(product)] as const] : []
    }),
  )
}
