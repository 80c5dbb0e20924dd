import type { TextMessage } from '../../../trusted/catalogue/message.ts'

const PLACEHOLDER = '{{.OtpCode}}'
// What providers take in one request; longer texts are refused as a whole.
const CHARACTERS_MAX = 1600

/** One text message: the template of the request where it has a place for the code, else ours. */
export function oneTimeCodeText({ template, code, appName }: TextMessage): string {
  const ours =
    appName === undefined
      ? `Your one-time code is ${PLACEHOLDER}`
      : `${appName}: your one-time code is ${PLACEHOLDER}`
  const wording = template?.includes(PLACEHOLDER) === true ? template : ours
  const filled = wording.replaceAll(PLACEHOLDER, () => code).replaceAll(/(?!\n)\p{Cc}/gu, '')
  // A text that does not fit is no reason to keep the code from whoever waits for it.
  return filled.length <= CHARACTERS_MAX ? filled : `Your one-time code is ${code}`
}
