import { optionalPackage } from '../../seals/optional-package.ts'
import { CommandError } from './command-error.ts'

/** `claviger mcp`: the server for agents, which is a separate package with dependencies of its own. */
export async function mcp(args: readonly string[]): Promise<number> {
  const found = optionalPackage('mcp')
  if (found.kind === 'missing') throw new CommandError(`the server is a package of its own: ${found.howTo}`)
  // Our own package: `packages/mcp/src/mcp.ts`, or its compiled form.
  const server = (await import(found.address)) as { readonly mcp: typeof mcp }
  return await server.mcp(args)
}
