import type { Side } from '../side.ts'
import { expressSide } from './express.ts'
import { openbaoSides } from './openbao.ts'

/** Those that were named: `express=<folder with node_modules>`, `openbao=<program>`. */
export async function peers(named: readonly string[]): Promise<readonly Side[]> {
  const sides: Side[] = []
  for (const peer of named) {
    const [name = '', path = ''] = peer.split('=')
    if (name === 'express') sides.push(await expressSide(path))
    else if (name === 'openbao') sides.push(...(await openbaoSides(path)))
    else throw new Error(`--beside takes express=<folder> and openbao=<program>, not ${peer}`)
  }
  return sides
}
