import { resolve } from 'node:path'
import type { Source } from './setting.ts'

export function asItIs(text: string): string {
  return text
}

/** An address is not quoted, because it may contain a password. */
export function absolutePath(text: string, name: string, { workingFolder, problems }: Source): string {
  if (text.includes('://')) problems.push(`${name} is an address: it must be a path`)
  // A file of settings is not read by a shell, which would take quotes away and know the home folder.
  else if (/^(["']|~(\/|$))/.test(text))
    problems.push(
      `${name} begins with ${text.charAt(0)}, which has a meaning only in a shell: write the path itself`,
    )
  return resolve(workingFolder, text)
}

/**
 * Whether a text begins like an address. `s3:/bucket` does too: it is a slip, and no folder, which would be
 * `./s3:/bucket`.
 */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(text)
}

/** A path, or an address such as s3://bucket/prefix. */
export function pathOrAddress(text: string, name: string, source: Source): string {
  return isAddress(text) ? text : absolutePath(text, name, source)
}

/** `true` or `false`. */
export function flag(text: string, name: string, { problems }: Source): boolean {
  if (text !== 'true' && text !== 'false')
    problems.push(`${name} is ${JSON.stringify(text)}: it must be true or false`)
  return text === 'true'
}

/** One of these words. */
export function oneOf<Word extends string>(words: readonly [Word, ...Word[]]) {
  return (text: string, name: string, { problems }: Source): Word => {
    const found = words.find((word) => word === text)
    if (found === undefined)
      problems.push(`${name} is ${JSON.stringify(text)}: it must be one of ${words.join(', ')}`)
    return found ?? words[0]
  }
}

export function wholeNumber(least: number, most: number) {
  return (text: string, name: string, { problems }: Source): number => {
    const value = Number(text)
    if (!/^\d{1,9}$/.test(text) || value < least || value > most)
      problems.push(`${name} is ${JSON.stringify(text)}: it must be a whole number from ${least} to ${most}`)
    return value
  }
}

/** A whole number of seconds, in milliseconds. */
export function seconds(least: number, most: number) {
  const read = wholeNumber(least, most)
  return (text: string, name: string, source: Source): number => read(text, name, source) * 1_000
}

export function port(text: string, name: string, { problems }: Source): number {
  const value = Number(text)
  if (!/^\d{1,5}$/.test(text) || value > 65_535)
    problems.push(`${name} is ${JSON.stringify(text)}: it must be a number from 0 to 65535`)
  return value
}

/** `on`, `off`, or a port. */
export function onOffOrPort(text: string, name: string, { problems }: Source): 'on' | 'off' | number {
  if (text === 'on' || text === 'off') return text
  const value = Number(text)
  if (!/^\d{1,5}$/.test(text) || value > 65_535)
    problems.push(`${name} is ${JSON.stringify(text)}: it must be on, off, or a number from 0 to 65535`)
  return value
}

export function commaSeparated(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
