import type { Part, Setting, Source } from './setting.ts'

/** Parts of the configuration by name, in groups. */
type Parts = { readonly [name: string]: Part<unknown> | Parts }

/** The configuration of these parts. */
export type ValuesOf<P> = P extends Part<infer T> ? T : { readonly [Name in keyof P]: ValuesOf<P[Name]> }

export function valuesOf<P extends Parts>(parts: P, source: Source): ValuesOf<P> {
  const entries = Object.entries(parts).map(([name, part]) => [
    name,
    isPart(part) ? part.value(source) : valuesOf(part, source),
  ])
  return Object.fromEntries(entries) as ValuesOf<P> // each name has the value of its part
}

export function settingsOf(parts: Parts): readonly Setting[] {
  return Object.values(parts).flatMap((part) => (isPart(part) ? part.settings : settingsOf(part)))
}

function isPart(part: Part<unknown> | Parts): part is Part<unknown> {
  return typeof part['value'] === 'function'
}
