import type { Activity } from '../catalogue/activity.ts'
import { createPrivateKeys } from './private-keys/create-private-keys.ts'
import { signRawPayload } from './signing/sign-raw-payload.ts'

/** Every activity of the service. Routes, reading, policy vocabulary, OpenAPI, reference and tests follow from this list. */
export const activities: readonly Activity[] = [createPrivateKeys, signRawPayload]
