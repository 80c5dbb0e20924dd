import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const SYSTEM = ['/usr/sbin', '/sbin']

/** For a test that needs a program: it is skipped where the program is not, and says how to get it. */
export function unless(program: string, howToGetIt: string): { readonly skip?: string } {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...SYSTEM]
  const isHere = folders.some((folder) => folder !== '' && existsSync(join(folder, program)))
  return isHere ? {} : { skip: `${program} is not installed here: ${howToGetIt}` }
}
