import * as z from 'zod'
import { decodedSentence } from '../decoded-sentence.ts'
import { rehearse } from '../rehearse.ts'
import { told } from '../result.ts'
import {
  messageArguments,
  messageRequest,
  payloadArguments,
  payloadRequest,
  type SigningRequest,
  transactionArguments,
  transactionRequest,
  typedDataArguments,
  typedDataRequest,
} from '../signing-request.ts'
import { defineTool } from '../tool.ts'

const tryArguments = z.strictObject({
  request: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('transaction'), ...transactionArguments.shape }),
    z.strictObject({ kind: z.literal('message'), ...messageArguments.shape }),
    z.strictObject({ kind: z.literal('typed_data'), ...typedDataArguments.shape }),
    z.strictObject({ kind: z.literal('payload'), ...payloadArguments.shape }),
  ]),
})

export const trySigning = defineTool({
  name: 'try_signing',
  title: 'Try a signature',
  description:
    'Says what would happen to a request to sign, without signing: allowed, waits for whom, or refused and why; what ' +
    'of each limit would be left; and what the request does, as the service reads it. Nothing is used up or recorded.',
  arguments: tryArguments,
  signs: false,
  run: async ({ request }, { service, agent }, { signal }) => {
    const { decision, decoded, mayApprove, limits, reasons, moreReasons } = await rehearse(
      service,
      await agent(),
      requestOf(request),
      signal,
    )
    return told(`${DECISIONS[decision]} ${decodedSentence(decoded)}`, {
      decision,
      decoded,
      ...(decision === 'wait' ? { mayApprove } : {}),
      limits,
      reasons,
      ...(moreReasons > 0 ? { moreReasons } : {}),
    })
  },
})

const DECISIONS = {
  allow: 'It would be signed at once.',
  wait: 'It would wait until people approve it.',
  deny: 'It would be refused. Do not try to get around this: tell a person what is needed and why.',
} as const

function requestOf(request: z.infer<typeof tryArguments>['request']): SigningRequest {
  switch (request.kind) {
    case 'transaction':
      return transactionRequest(request)
    case 'message':
      return messageRequest(request)
    case 'typed_data':
      return typedDataRequest(request)
    case 'payload': {
      const { kind: _, ...asked } = request
      return payloadRequest(asked)
    }
  }
}
