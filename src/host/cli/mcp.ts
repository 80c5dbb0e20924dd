import { existsSync } from 'node:fs'
import { UsageError } from './usage.ts'

/** `claviger mcp`: the server for agents, which is a package of its own with dependencies of its own. */
export async function mcp(args: readonly string[]): Promise<number> {
  const found = serverIn(new URL('../../../', import.meta.url)) ?? installedServer()
  // It is ours: `packages/mcp/src/mcp.ts`, or what that becomes in its package.
  const server = (await import(found)) as { readonly mcp: typeof mcp }
  return await server.mcp(args)
}

/**
 * The server of a clone, as an address to import; undefined where there is none.
 *
 * @throws UsageError where its dependencies are missing
 */
export function serverIn(clone: URL): string | undefined {
  const folder = new URL('packages/mcp/', clone)
  const source = new URL('src/mcp.ts', folder)
  if (!existsSync(source)) return undefined
  if (existsSync(new URL('node_modules/', folder))) return source.href
  throw new UsageError('its packages are missing: npm ci --ignore-scripts --prefix packages/mcp')
}

function installedServer(): string {
  try {
    return import.meta.resolve('claviger-mcp')
  } catch {
    // There is no such package in reach.
    throw new UsageError(
      'the server is a package of its own: npx claviger-mcp, or npm install claviger-mcp beside claviger',
    )
  }
}
