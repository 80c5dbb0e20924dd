import { existsSync } from 'node:fs'
import { UsageError } from './usage.ts'

/** `claviger mcp`: the server for agents, which is a package of its own with dependencies of its own. */
export async function mcp(args: readonly string[]): Promise<number> {
  // It is ours: `packages/mcp/src/mcp.ts`, or what that becomes in its package.
  const server = (await import(whereItIs())) as { readonly mcp: typeof mcp }
  return await server.mcp(args)
}

/** @throws UsageError that says how to get it */
function whereItIs(): string {
  const folder = new URL('../../../packages/mcp/', import.meta.url)
  const source = new URL('src/mcp.ts', folder)
  const isClone = existsSync(source)
  if (isClone && existsSync(new URL('node_modules/', folder))) return source.href
  if (isClone) throw new UsageError('its packages are missing: npm ci --ignore-scripts --prefix packages/mcp')
  try {
    return import.meta.resolve('claviger-mcp')
  } catch {
    // There is no such package in reach.
    throw new UsageError('the server is a package of its own: npm install claviger-mcp beside claviger')
  }
}
