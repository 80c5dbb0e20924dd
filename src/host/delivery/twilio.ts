import { utf8 } from '../../trusted/base/bytes.ts'
import type { Ms } from '../../trusted/base/world.ts'
import { DeliveryError } from './delivery-error.ts'
import type { Outbound, OutboundResponse } from '../outside/outbound.ts'
import { OutboundError } from '../outside/outbound-error.ts'
import { retryAfterMs } from '../outside/retry-after.ts'
import type { TextMessages } from './text-messages.ts'

type TwilioOptions = {
  readonly outbound: Outbound
  /** `AC…`; also the user name, unless an API key is used instead. */
  readonly accountSid: string
  readonly authToken: string
  /** A number in E.164, or a messaging service `MG…`. */
  readonly from: string
  readonly baseUrl?: string
  readonly now: () => Ms
}

const BASE_URL = 'https://api.twilio.com'
const TIMEOUT_MS = 15_000
const ANSWER_BYTES_MAX = 64 * 1024
const E164 = /^\+[1-9]\d{1,14}$/ // ITU-T E.164

/**
 * Text messages by Twilio: one form-encoded POST to the Messages resource of API version 2010-04-01, with basic
 * authentication. That resource does not recognise repetitions, so it has no field for a reference.
 */
export function twilio(options: TwilioOptions): TextMessages {
  const { outbound, accountSid, authToken, from, baseUrl = BASE_URL, now } = options
  const url = `${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
  const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from }
  return {
    send: async ({ to, text }) => {
      if (!E164.test(to)) throw new DeliveryError('permanent', 'not a phone number in E.164')
      const response = await answer(outbound, {
        method: 'POST',
        url,
        headers: {
          authorization: `Basic ${credentials}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: utf8(new URLSearchParams({ To: to, ...sender, Body: text }).toString()),
        timeoutMs: TIMEOUT_MS,
        responseBytesMax: ANSWER_BYTES_MAX,
      })
      if (response.status < 200 || response.status > 299) throw refusal(response, now())
    },
  }
}

async function answer(
  outbound: Outbound,
  request: Parameters<Outbound['request']>[0],
): Promise<OutboundResponse> {
  try {
    return await outbound.request(request)
  } catch (error) {
    if (error instanceof OutboundError)
      throw new DeliveryError('temporary', `the provider of text messages did not answer (${error.kind})`)
    throw error
  }
}

/**
 * An error about our account or our rate (401, 403, 408, 429) can be corrected; any other 4xx is about this message.
 */
const MENDABLE = [401, 403, 408, 429]

function refusal({ status, headers, body }: OutboundResponse, now: Ms): DeliveryError {
  const isPermanent = status >= 400 && status <= 499 && !MENDABLE.includes(status)
  return new DeliveryError(
    isPermanent ? 'permanent' : 'temporary',
    `the provider of text messages answered ${status}${errorNumber(body)}`,
    retryAfterMs(headers, now),
  )
}

/** Twilio's error number, such as 21211; its sentence repeats the phone number and is left out. */
function errorNumber(body: Uint8Array): string {
  const found = /"code"\s*:\s*(\d{1,6})\b/.exec(Buffer.from(body).toString())?.[1]
  return found === undefined ? '' : ` (${found})`
}
