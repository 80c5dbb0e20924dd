import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import type * as z from 'zod'
import type { Agent } from './agent.ts'
import { toldError } from './result.ts'
import type { Service } from './service.ts'

/** What every tool is given. */
export type Means = {
  readonly service: Service
  readonly agent: () => Promise<Agent>
  readonly keyFile: string | undefined
}

/** One call, as far as a tool has to know of it. */
export type Call = {
  readonly signal: AbortSignal
  /** Tells a client that asked for it how far a call is; nothing for others. */
  readonly progress: (done: number, message: string) => Promise<void>
}

export type Tool = {
  readonly name: string
  readonly register: (server: McpServer, means: Means) => void
}

/** A tool whose failures are answers. `signs`: whether it may lead to a signature; the others only read. */
export function defineTool<Arguments>(tool: {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: z.ZodType<Arguments>
  readonly signs: boolean
  readonly run: (asked: Arguments, means: Means, call: Call) => Promise<CallToolResult>
}): Tool {
  const { name, title, description, arguments: inputSchema, signs } = tool
  const annotations = {
    readOnlyHint: !signs,
    destructiveHint: signs,
    idempotentHint: !signs,
    openWorldHint: true,
  }
  return {
    name,
    register: (server, means) => {
      server.registerTool(name, { title, description, inputSchema, annotations }, async (asked, context) => {
        try {
          return await tool.run(asked, means, callOf(context))
        } catch (error) {
          return toldError(error)
        }
      })
    },
  }
}

function callOf({ mcpReq: { signal, _meta, notify } }: ServerContext): Call {
  const progressToken = _meta?.progressToken
  return {
    signal,
    progress: async (progress, message) => {
      if (progressToken === undefined) return
      await notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
    },
  }
}
