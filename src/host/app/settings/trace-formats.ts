import type { Source } from './setting.ts'

/** `off`, or the address of a collector for OTLP over HTTP. It is not quoted, because it may contain a token. */
export function collectorUrl(text: string, name: string, { problems }: Source): string | undefined {
  if (text === 'off') return undefined
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '')
    problems.push(
      `${name} is not an address of a collector: it must be off, or an address such as http://127.0.0.1:4318/v1/traces`,
    )
  return text
}
