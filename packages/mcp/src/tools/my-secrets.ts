import { createECDH } from 'node:crypto'
import { resolve } from 'node:path'
import * as z from 'zod'
import { asData } from '../data.ts'
import { tried } from '../explanation.ts'
import { told } from '../result.ts'
import { defineTool } from '../tool.ts'

const LISTED_MAX = 20

/**
 * The secrets that the agent may read, and how a program gets them. Their texts never come back from here: what a model
 * has seen it may repeat, to a provider, a log or the author of a page that it reads.
 */
export const mySecrets = defineTool({
  name: 'my_secrets',
  title: 'Secrets for programs',
  description:
    'Lists secrets, and whether this agent may use each one: at once, after an approval, or not. Never shows a secret. ' +
    'A program gets it in its environment: run the command of the answer where you run programs, with the name of a ' +
    'variable, the secretId and the program put in.',
  arguments: z.strictObject({
    after: z.guid().optional().describe('continueAfter of the page before'),
  }),
  signs: false,
  run: async ({ after }, { service, agent, keyFile }, { signal }) => {
    const { organizationId } = await agent()
    const paginationOptions = { limit: String(LISTED_MAX), ...(after === undefined ? {} : { after }) }
    const { secrets } = await service.query(
      'list_secrets',
      { organizationId, paginationOptions },
      listed,
      signal,
    )
    // The key of nobody: what is asked is only whether it would be allowed.
    const targetPublicKey = createECDH('prime256v1').generateKeys('hex', 'uncompressed')
    const shown = await Promise.all(
      secrets.map(async ({ secretId, name = '', staticProperties }) => {
        const one = { secretId, targetPublicKey, encryptionSuite: SUITE }
        const request = { type: 'ACTIVITY_TYPE_EXPORT_SECRETS', parameters: { secrets: [one] } }
        const { judgement } = await service.query(
          'try_activity',
          { organizationId, ...request },
          tried,
          signal,
        )
        return {
          secretId,
          name: asData(name),
          properties: staticProperties.map(({ key, value }) => ({ key: asData(key), value: asData(value) })),
          use: USES[judgement.decision],
        }
      }),
    )
    const as = keyFile === undefined ? [] : ['--as', resolve(keyFile)]
    const last = secrets.length < LISTED_MAX ? undefined : secrets.at(-1)?.secretId
    return told(`${shown.length} secrets. No tool shows the text of one.`, {
      secrets: shown,
      command: ['claviger', 'secret', 'run', ...as, 'VARIABLE=secretId', '--', 'COMMAND'],
      ...(last === undefined ? {} : { continueAfter: last }),
    })
  },
})

const SUITE = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'

const USES = { allow: 'at once', wait: 'after an approval', deny: 'not allowed' } as const

const listed = z.object({
  secrets: z.array(
    z.object({
      secretId: z.guid(),
      name: z.string().optional(),
      staticProperties: z.array(z.object({ key: z.string(), value: z.string() })),
    }),
  ),
})
