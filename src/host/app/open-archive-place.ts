import { optionalPackage } from '../../seals/optional-package.ts'
import { archiveBucket } from '../copies/archive-bucket.ts'
import { archiveFolder } from '../copies/archive-folder.ts'
import type { ArchivePlace } from '../copies/archive-place.ts'
import type { BucketStoragePackage } from '../copies/bucket-storage.ts'
import { CopyError } from '../copies/copy-error.ts'
import { fileBeside, syncFolderOf } from './file-beside.ts'
import { isAddress } from './settings/plain-formats.ts'

/**
 * The place of archives that an operator has named: a folder, or S3-compatible storage as `s3://bucket/prefix`.
 *
 * @param isAwaited  whether a caller waits for an answer; then a storage that does not answer is reported sooner
 * @throws CopyError for an address of another kind, or if its package is not installed
 */
export async function openArchivePlace(address: string, { isAwaited = false } = {}): Promise<ArchivePlace> {
  if (!isAddress(address)) return archiveFolder(address, { fileBeside, syncFolderOf })
  const [, bucket, prefix] = BUCKET.exec(address) ?? []
  if (bucket === undefined || prefix === undefined)
    throw new CopyError(`${address} cannot hold archives: use a folder, or s3://bucket/prefix`)
  const { bucketStorage } = await loadPackage()
  return archiveBucket(bucketStorage({ bucket, isAwaited }), { bucket, prefix: prefix.slice(1) })
}

/** No part of the prefix is `.` or `..`, and no character needs another spelling in an address. */
const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w-][\w.-]{0,100}){0,10})\/?$/

async function loadPackage(): Promise<BucketStoragePackage> {
  const found = optionalPackage('s3')
  if (found.kind === 'missing')
    throw new CopyError(`S3-compatible storage needs a package of its own: ${found.howTo}`)
  try {
    // Our own package: `packages/s3/src/s3.ts`, or its compiled form.
    return (await import(found.address)) as BucketStoragePackage
  } catch {
    throw new CopyError(`the package of S3-compatible storage does not load: ${found.howTo}`)
  }
}
