import type { Answered } from '../../service/answered.ts'
import { asciiJson } from '../../words/plain-json.ts'

/** The same request for a terminal, to be stamped anew: at another time it is another request. */
export function curlOf(activity: Answered): string {
  const intent = activity.object('intent')
  const [key = ''] = intent.names()
  const type = activity.text('type')
  const body = {
    type,
    timestampMs: activity.text('timestampMs'),
    organizationId: activity.text('organizationId'),
    parameters: intent.has(key) ? intent.object(key).value : {},
  }
  const operation = type
    .replace(/^ACTIVITY_TYPE_/, '')
    .replace(/_V\d+$/, '')
    .toLowerCase()
  const lines = [
    `curl ${quoted(asciiJson(`${location.origin}/public/v1/submit/${operation}`))}`,
    `-H 'content-type: application/json'`,
    `-H "X-Stamp: $STAMP"`,
    `--data-binary ${quoted(asciiJson(JSON.stringify(body)))}`,
  ]
  return lines.join(' \\\n  ')
}

/** As one word for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
