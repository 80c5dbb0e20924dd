import { freePorts } from '../../support/free-port.ts'

/** The ports that a page names, each with a free one that takes its place while other pages run beside it. */
export type Ports = {
  /** Text of the page, with the free ports. */
  readonly toFree: (text: string) => string
  /** What was written, with the ports that the page names. */
  readonly toShown: (text: string) => string
  readonly service: string
}

const SERVICE = '4400'

/** @param taken  ports that are taken already, each with the one that stands for it */
export async function portsOf(
  page: string,
  taken: readonly (readonly [string, string])[] = [],
): Promise<Ports> {
  const named = [...page.matchAll(/(?:127\.0\.0\.1|localhost):(\d{4,5})\b/g)].map(([, port = '']) => port)
  const shown = [...new Set([SERVICE, ...named])]
  const free = await freePorts(shown.length)
  const own = new Map(taken)
  const pairs = shown.map((port, at) => [port, own.get(port) ?? free[at] ?? port] as const)
  const replaced = (text: string, of: readonly (readonly [string, string])[]): string => {
    const by = new Map(of)
    return text.replaceAll(/(?<![\w.-])\d{4,5}(?![\w-])/g, (number) => by.get(number) ?? number)
  }
  return {
    toFree: (text) => replaced(text, pairs),
    toShown: (text) =>
      replaced(
        text,
        pairs.map(([a, b]) => [b, a]),
      ),
    service: new Map(pairs).get(SERVICE) ?? SERVICE,
  }
}
