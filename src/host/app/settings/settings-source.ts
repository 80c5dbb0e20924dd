import { readFileSync } from 'node:fs'
import { fileTrouble } from '../../../trusted/base/file-trouble.ts'
import { othersMayRead } from '../file-mode.ts'
import type { Setting, Texts } from './setting.ts'

export type Environment = { readonly [name: string]: string | undefined }

/** The settings as text: the environment first, then the file that `CLAVIGER_CONFIG` names (lines of `NAME=value`). */
export function readTexts(environment: Environment, settings: readonly Setting[], problems: string[]): Texts {
  const given = environment['CLAVIGER_CONFIG']
  const path = given?.trim() === '' ? undefined : given
  const fromFile = path === undefined ? {} : fileSettings(path, problems)
  const secrets = settings.filter(({ name, holdsSecret }) => {
    const text = fromFile[name]
    return text !== undefined && holdsSecret(text)
  })
  if (path !== undefined && secrets.length > 0 && othersMayRead(path))
    problems.push(
      `CLAVIGER_CONFIG names ${path}, which sets ${secrets.map(({ name }) => name).join(', ')} and can be read by others: chmod 600 it`,
    )
  return withoutEmpty({ ...fromFile, ...set(environment) }, problems)
}

/**
 * An empty value is not treated as the default, because it was probably forgotten: an empty host would mean every
 * interface, and without the address of its database a service would continue with an empty store.
 */
function withoutEmpty(settings: Texts, problems: string[]): Texts {
  const empty = Object.keys(settings).filter((name) => settings[name]?.trim() === '')
  for (const name of empty) problems.push(`${name} is empty: give it a value, or leave it out`)
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !empty.includes(name)))
}

/** A guide exports it for `claviger mcp`, which reads it by itself. */
const TOKEN_OF_MCP = 'CLAVIGER_MCP_TOKEN'

function set(environment: Environment): Texts {
  const entries = Object.entries(environment).filter(
    ([name]) => name.startsWith('CLAVIGER_') && name !== TOKEN_OF_MCP,
  )
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function fileSettings(path: string, problems: string[]): Texts {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    problems.push(
      `CLAVIGER_CONFIG names ${path}, which cannot be read: ${fileTrouble(error) ?? String(error)}`,
    )
    return {}
  }
  const settings: Record<string, string> = {}
  for (const [index, line] of text.split('\n').entries()) {
    const bare = line.trim()
    if (bare === '' || bare.startsWith('#')) continue
    const parts = /^([A-Z][A-Z0-9_]*)\s*=\s*(.*)$/.exec(bare)
    if (parts?.[1] === undefined)
      problems.push(`${path}, line ${index + 1}: it is not of the form NAME=value`)
    else if (!parts[1].startsWith('CLAVIGER_'))
      problems.push(`${path}, line ${index + 1}: ${parts[1]} is not a setting`)
    else settings[parts[1]] = parts[2] ?? ''
  }
  return settings
}
