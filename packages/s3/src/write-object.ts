import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { Ask } from './asking.ts'
import type { Limits } from './limits.ts'
import { partsOf } from './parts-of.ts'
import { InvalidAnswer, type Trouble } from './trouble-of.ts'

/** Of each part, which the storage computes again. */
const ChecksumAlgorithm = 'CRC32'

export type Parts = { readonly bytes: number; readonly max: number }
type Upload = { readonly Bucket: string; readonly Key: string; readonly UploadId: string }

/**
 * Makes an object, which is there when it is whole, and not before.
 *
 * @returns false where one with this key was there, which stays as it is
 */
export async function writeObject(
  ask: Ask,
  place: Pick<Upload, 'Bucket' | 'Key'>,
  pieces: AsyncIterable<Uint8Array>,
  { limits, parts }: { readonly limits: Limits; readonly parts: Parts },
): Promise<{ readonly isWritten: boolean } | Trouble> {
  const upload = await ask(limits.asked, async (client, options) => {
    const command = new CreateMultipartUploadCommand({ ...place, ChecksumAlgorithm })
    const { UploadId } = await client.send(command, options)
    if (UploadId === undefined) throw new InvalidAnswer('no upload')
    return { ...place, UploadId }
  })
  if ('trouble' in upload) return upload
  let isWritten = false
  try {
    const sent = await sendParts(ask, upload, pieces, { limits, parts })
    if ('trouble' in sent) return sent
    const command = new CompleteMultipartUploadCommand({
      ...upload,
      MultipartUpload: { Parts: [...sent.parts] },
      IfNoneMatch: '*',
    })
    const done = await ask(limits.completed, async (client, options) => await client.send(command, options))
    isWritten = !('trouble' in done)
    if (!('trouble' in done)) return { isWritten }
    // An upload that is gone was completed by a try whose answer was lost.
    return done.trouble === 'conditionFailed' || done.trouble === 'noObject' ? { isWritten } : done
  } finally {
    // Nobody is told where this fails: its parts stay until the rule of the bucket for such uploads removes them.
    if (!isWritten)
      await ask(
        limits.asked,
        async (client, options) => await client.send(new AbortMultipartUploadCommand(upload), options),
      )
  }
}

async function sendParts(
  ask: Ask,
  upload: Upload,
  pieces: AsyncIterable<Uint8Array>,
  { limits, parts }: { readonly limits: Limits; readonly parts: Parts },
): Promise<{ readonly parts: readonly CompletedPart[] } | Trouble> {
  const sent: CompletedPart[] = []
  for await (const Body of partsOf(pieces, parts.bytes)) {
    const PartNumber = sent.length + 1
    if (PartNumber > parts.max) return { trouble: 'tooLarge' }
    const part = await ask(limits.moved, async (client, options) => {
      const command = new UploadPartCommand({ ...upload, PartNumber, Body, ChecksumAlgorithm })
      const answer = await client.send(command, options)
      if (answer.ETag === undefined) throw new InvalidAnswer('no tag of a part')
      return answer
    })
    if ('trouble' in part) return part
    sent.push({ PartNumber, ETag: part.ETag, ChecksumCRC32: part.ChecksumCRC32 })
  }
  return { parts: sent }
}
