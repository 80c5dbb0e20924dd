import type { CallToolResult } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { type Activity, activityShape, isWaiting, outcomeOf } from '../activity.ts'
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
import { type Call, defineTool, type Means } from '../tool.ts'
import { ToolError } from '../tool-error.ts'

const WHAT_COMES_BACK =
  'Answers with the signature, or with an activity that waits for people (then call wait_for_approval), or with the ' +
  'reason of a refusal. Shows amounts and destinations as the service reads them from the bytes that are signed. ' +
  'Signs at once where the limits allow it: call try_signing first if you only want to know.'

export const signTransaction = defineTool({
  name: 'sign_transaction',
  title: 'Sign a transaction',
  description: `Signs a transaction with a key of this agent; it is not sent to any chain. ${WHAT_COMES_BACK}`,
  arguments: transactionArguments,
  signs: true,
  run: async (asked, means, call) => await sign(transactionRequest(asked), means, call),
})

export const signMessage = defineTool({
  name: 'sign_message',
  title: 'Sign a message',
  description: `Signs a text, as wallets do to prove who they are. ${WHAT_COMES_BACK}`,
  arguments: messageArguments,
  signs: true,
  run: async (asked, means, call) => await sign(messageRequest(asked), means, call),
})

export const signTypedData = defineTool({
  name: 'sign_typed_data',
  title: 'Sign typed data (EIP-712)',
  description: `Signs typed data of Ethereum, which can move money: a permit or an order is such. ${WHAT_COMES_BACK}`,
  arguments: typedDataArguments,
  signs: true,
  run: async (asked, means, call) => await sign(typedDataRequest(asked), means, call),
})

export const signPayload = defineTool({
  name: 'sign_payload',
  title: 'Sign raw bytes',
  description: `Signs bytes or a digest, of which policies may see nothing; prefer the other tools. ${WHAT_COMES_BACK}`,
  arguments: payloadArguments,
  signs: true,
  run: async (asked, means, call) => await sign(payloadRequest(asked), means, call),
})

const submitted = z.object({ activity: activityShape })

async function sign(
  request: SigningRequest,
  { service, agent }: Means,
  { signal }: Call,
): Promise<CallToolResult> {
  const { organizationId } = await agent()
  // Of the same object that is submitted, and so of the same bytes.
  const { decoded, mayApprove } = await rehearse(service, { organizationId }, request, signal)
  const { operation, type, parameters } = request
  const { answer, fingerprint } = await service.submit(
    operation,
    { type, parameters, organizationId },
    submitted,
  )
  const { activity } = answer
  if (activity.fingerprint !== fingerprint)
    throw new ToolError(
      'The service answers with the record of another request.',
      'Use nothing of it, and tell a person.',
    )
  return told(`${sentenceOf(activity)} ${decodedSentence(decoded)}`, {
    ...outcomeOf(activity),
    fingerprint,
    decoded,
    ...(isWaiting(activity) ? { mayApprove } : {}),
  })
}

function sentenceOf(activity: Activity): string {
  if (activity.status === 'ACTIVITY_STATUS_COMPLETED') return 'Signed.'
  if (isWaiting(activity))
    return 'Not signed yet: people have to approve it. Call wait_for_approval with this activityId.'
  return 'Not signed.'
}
