import type { CallToolResult } from '@modelcontextprotocol/server'
import { asData } from './data.ts'
import { ToolError } from './tool-error.ts'

/** @param says  in words of this server alone: what others wrote stands in `more`, as data */
export function told(says: string, more: object = {}): CallToolResult {
  // Written as JSON and read again, so that what a model is shown in either form is the same.
  const structuredContent: Record<string, unknown> = JSON.parse(JSON.stringify({ says, ...more }))
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent, null, 1) }], structuredContent }
}

/** An error that a model can act on. A bug shows nothing of itself but that it is one. */
export function toldError(error: unknown): CallToolResult {
  const known =
    error instanceof ToolError
      ? error
      : new ToolError(
          'This server met an error of its own.',
          'Tell the person who runs it; do not assume that anything was signed or not: my_activities shows it.',
          asData(error instanceof Error ? error.message : String(error)),
        )
  const { message, advice, told: data, more } = known
  return {
    ...told(message, { advice, ...(data === undefined ? {} : { service: data }), ...more }),
    isError: true,
  }
}
