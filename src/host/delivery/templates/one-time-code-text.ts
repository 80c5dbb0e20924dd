import type { TextMessage } from '../../../trusted/catalogue/message.ts'

const PLACEHOLDER = '{{.OtpCode}}'
// The maximum that providers accept in one request; longer texts are refused as a whole.
const CHARACTERS_MAX = 1600

/** One text message: the template of the request if it has a place for the code, otherwise our own. */
export function oneTimeCodeText({ template, code, appName }: TextMessage): string {
  const ours =
    appName === undefined
      ? `Your one-time code is ${PLACEHOLDER}`
      : `${appName}: your one-time code is ${PLACEHOLDER}`
  const wording = template?.includes(PLACEHOLDER) === true ? template : ours
  const filled = wording.replaceAll(PLACEHOLDER, () => code).replaceAll(/(?!\n)\p{Cc}/gu, '')
  // A template that does not fit must not prevent the delivery of the code.
  return filled.length <= CHARACTERS_MAX ? filled : `Your one-time code is ${code}`
}
