import { printable, printableJson } from '../policies/printable.ts'
import type { Verdict } from './verify-console.ts'

/** A verdict for reading. */
export function verdictText({ isSame, files, headers }: Verdict): string {
  const lines = files.map(({ name, found, sha256 }) => `${found.padEnd(10)}${sha256}  ${name}`)
  const troubles = headers.map((trouble) => `header    ${printable(trouble)}`)
  const last = isSame
    ? 'The host serves the console of this version, as it was asked here and now.'
    : 'The host does not serve the console of this version: it runs another version, or something stands between, or it was changed. ' +
      'Until that is clear, use claviger console --of, or claviger approve.'
  return `${[...lines, ...troubles].join('\n')}\n\n${last}\n`
}

/** The same for programs, and for a terminal that shows it. */
export function verdictJson(verdict: Verdict): string {
  return `${printableJson(verdict)}\n`
}
