import { S3Client } from '@aws-sdk/client-s3'
import { overTls } from './over-tls.ts'
import { shortAnswer } from './short-answer.ts'

const CONNECT_MS = 10_000

/**
 * A client with region, endpoint and credentials from where the client looks for them. An endpoint that is named gets
 * the bucket in the path, since few servers but those of AWS have a host name for each bucket.
 *
 * @returns undefined where no region is named, or an endpoint that is no address
 */
export async function newClient(): Promise<{ readonly client: S3Client; readonly at: string } | undefined> {
  const client = new S3Client({
    // The answer is waited for as long as a request says.
    requestHandler: { connectionTimeout: CONNECT_MS, throwOnRequestTimeout: true },
    // The client would make a connection for each part, and wait for servers that do not answer to it.
    expectContinueHeader: false,
    streamCollector: shortAnswer,
  })
  const endpoint = await client.config.serviceConfiguredEndpoint?.()
  const region = await regionOf(client)
  if (region === undefined || (endpoint !== undefined && !URL.canParse(endpoint))) return undefined
  client.config.forcePathStyle = endpoint !== undefined
  overTls(client)
  return { client, at: endpoint === undefined ? region : new URL(endpoint).host }
}

async function regionOf({ config }: S3Client): Promise<string | undefined> {
  try {
    return await config.region()
  } catch {
    // The client throws an error without a name of its own.
    return undefined
  }
}
