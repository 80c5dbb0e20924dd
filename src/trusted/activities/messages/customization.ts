import { utf8 } from '../../base/bytes.ts'
import { defineFailure, Failure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { readJsonObject } from '../../base/strict-json.ts'
import type { EmailCustomization, EmailSender } from '../../catalogue/message.ts'
import { isLinkTemplate } from '../../catalogue/magic-link.ts'
import { label, object, optional, refined, type Shape, text, type TypeOf } from '../../catalogue/shape.ts'

const invalidMagicLinkTemplate = defineFailure<{ readonly template: string }>({
  kind: 'invalidMagicLinkTemplate',
  code: INVALID_ARGUMENT,
  say: ({ template }) =>
    `invalid magic link template: ${JSON.stringify(template.slice(0, 100))} must be a URL with %s in place of the code: https, http for localhost, or the scheme of an app (app://…), without quotes and angle brackets`,
})

const templateNotFound = defineFailure<{ readonly templateId: string }>({
  kind: 'templateNotFound',
  code: INVALID_ARGUMENT,
  say: ({ templateId }) =>
    `failed to get email template contents: there is no template ${JSON.stringify(templateId.slice(0, 100))}`,
})

const templateVariablesNotRead = defineFailure<{ readonly why: string }>({
  kind: 'templateVariablesNotRead',
  code: INVALID_ARGUMENT,
  say: ({ why }) => `failed to unmarshal template variables: ${why}`,
})

export const customizationFailures = [invalidMagicLinkTemplate, templateNotFound, templateVariablesNotRead]

/** Text without line ends: it stays one header, one line, one link wherever it is inserted. */
function line(bounds: { readonly min?: number; readonly max: number }): Shape<string> {
  return refined(text(bounds), {
    problem: (value) =>
      ENDS_A_LINE.test(value) ? 'must not contain control characters or line breaks' : undefined,
  })
}

const ENDS_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** The required name of the application: it appears in the subject and in the body. */
export const appName: Shape<string> = refined(label, {
  problem: (value) => (ENDS_A_LINE.test(value) ? 'must not contain line breaks' : undefined),
})

const logoUrl = refined(line({ max: 2_048 }), {
  problem: (value) =>
    value === '' || isHttps(value) ? undefined : 'must be an https URL of at most 2048 characters',
})

const looks = {
  logoUrl: optional(logoUrl),
  magicLinkTemplate: optional(text({ max: 2_048 })),
  templateVariables: optional(text({ max: 8_192 })),
  templateId: optional(text({ max: 255 })),
}

/** `EmailCustomizationParams`: older versions, with an optional name. */
export const emailCustomizationParams = object({ appName: optional(line({ max: 255 })), ...looks })

/** `EmailCustomizationParamsV2`: the name is a separate field. */
export const emailCustomizationParamsV2 = object(looks)

/** `EmailAuthCustomizationParams`: with a required name. */
export const emailAuthCustomizationParams = object({ appName, ...looks })

type EmailCustomizationParams = TypeOf<typeof emailCustomizationParams>

const CODE_PLACEHOLDER = '{{.OtpCode}}'

const smsTemplate = refined(text({ max: 1_000 }), {
  problem: (value) => {
    if (/(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)) return 'must not contain control characters'
    return value === '' || value.includes(CODE_PLACEHOLDER)
      ? undefined
      : `must hold ${CODE_PLACEHOLDER}, where the code goes`
  },
})

/** `SmsCustomizationParams`. */
export const smsCustomizationParams = object({ template: optional(smsTemplate) })

/** The requested sender of a mail; for the fields of an intent. */
export const senderParams = {
  sendFromEmailAddress: optional(line({ max: 254 })),
  sendFromEmailSenderName: optional(line({ max: 255 })),
  replyToEmailAddress: optional(line({ max: 254 })),
}

/**
 * The customization as a message has it. Empty text counts as absent, because published clients send it so.
 *
 * @param given.appName  the name in the intent, where the parameters do not have it
 * @throws               Failures `invalidMagicLinkTemplate`, `templateNotFound`, `templateVariablesNotRead`
 */
export function emailCustomizationOf(given: EmailCustomizationParams = {}): EmailCustomization {
  const {
    appName = '',
    logoUrl = '',
    magicLinkTemplate = '',
    templateVariables = '',
    templateId = '',
  } = given
  // Only built-in templates exist, so no template has this id.
  if (templateId !== '') throw templateNotFound({ templateId })
  if (magicLinkTemplate !== '' && !isLinkTemplate(magicLinkTemplate))
    throw invalidMagicLinkTemplate({ template: magicLinkTemplate })
  return {
    ...(appName === '' ? {} : { appName }),
    ...(logoUrl === '' ? {} : { logoUrl }),
    ...(magicLinkTemplate === '' ? {} : { magicLinkTemplate }),
    ...(templateVariables === '' ? {} : { templateVariables: variablesIn(templateVariables) }),
  }
}

/** The requested sender of a mail; the delivery decides whether to use it. */
export function emailSenderOf(given: {
  readonly sendFromEmailAddress?: string
  readonly sendFromEmailSenderName?: string
  readonly replyToEmailAddress?: string
}): EmailSender {
  const { sendFromEmailAddress = '', sendFromEmailSenderName = '', replyToEmailAddress = '' } = given
  return {
    ...(sendFromEmailAddress === '' ? {} : { fromAddress: sendFromEmailAddress }),
    ...(sendFromEmailSenderName === '' ? {} : { fromName: sendFromEmailSenderName }),
    ...(replyToEmailAddress === '' ? {} : { replyTo: replyToEmailAddress }),
  }
}

const VARIABLES_MAX = 50

function variablesIn(json: string): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {}
  const entries = Object.entries(objectIn(json))
  if (entries.length > VARIABLES_MAX)
    throw templateVariablesNotRead({ why: `there may be at most ${VARIABLES_MAX} of them` })
  for (const [name, value] of entries) {
    if (typeof value !== 'string')
      throw templateVariablesNotRead({ why: `${JSON.stringify(name.slice(0, 80))} is not a string` })
    if (ENDS_A_LINE.test(name) || ENDS_A_LINE.test(value))
      throw templateVariablesNotRead({
        why: `${JSON.stringify(name.slice(0, 80))} contains control characters or line breaks`,
      })
    variables[name] = value
  }
  return variables
}

function objectIn(json: string): Readonly<Record<string, unknown>> {
  try {
    return readJsonObject(utf8(json))
  } catch (error) {
    if (error instanceof Failure) throw templateVariablesNotRead({ why: 'they are not a JSON object' })
    throw error
  }
}

function isHttps(value: string): boolean {
  return URL.canParse(value) && new URL(value).protocol === 'https:'
}
