import type { Ms } from '../../../trusted/base/world.ts'
import type { EmailMessage } from '../../../trusted/catalogue/message.ts'
import type { Letter, Part } from './letter.ts'

/** The content of a letter, before the customization of the request is applied. */
type Wording = { readonly subject: string; readonly parts: readonly Part[] }

/**
 * A letter with its greeting and signature. Every `{{name}}` in our wording is replaced once: `appName` and
 * `organizationName` from the message, others (`greeting`, `signature`) from the variables of the request. Inserted
 * text is not searched again, and a variable cannot replace a text from the message.
 */
export function letterOf(message: EmailMessage, wording: Wording): Letter {
  const { organizationName, customization } = message
  const appName = customization.appName ?? organizationName
  const values = new Map([
    ['greeting', 'Hello,'],
    ['signature', appName],
    ...Object.entries(customization.templateVariables ?? {}),
    ['appName', appName],
    ['organizationName', organizationName],
  ])
  const filled = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => values.get(name) ?? placeholder)
  const parts: readonly Part[] = [GREETING, ...wording.parts, SIGNATURE]
  const logoUrl = httpsUrl(customization.logoUrl)
  return {
    subject: filled(wording.subject),
    ...(logoUrl === undefined ? {} : { logoUrl }),
    parts: parts.map((part) => (part.kind === 'paragraph' ? { ...part, text: filled(part.text) } : part)),
  }
}

export function paragraph(text: string): Part {
  return { kind: 'paragraph', text }
}

/** To the minute, in UTC, because the reader may be in any time zone. */
export function untilWhen(expiresAt: Ms | undefined): string {
  return expiresAt === undefined
    ? ''
    : ` until ${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

const GREETING: Part = paragraph('{{greeting}}')
const SIGNATURE: Part = paragraph('{{signature}}')

function httpsUrl(text: string | undefined): string | undefined {
  return text !== undefined && URL.canParse(text) && new URL(text).protocol === 'https:' ? text : undefined
}
