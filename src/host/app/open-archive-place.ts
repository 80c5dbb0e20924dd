import { optionalPackage } from '../../seals/optional-package.ts'
import { archiveBucket } from '../copies/archive-bucket.ts'
import { archiveFolder } from '../copies/archive-folder.ts'
import type { ArchivePlace } from '../copies/archive-place.ts'
import type { BucketStoragePackage } from '../copies/bucket-storage.ts'
import { CopyError } from '../copies/copy-error.ts'
import { fileBeside, syncFolderOf } from './file-beside.ts'

/**
 * The place of archives that an operator has named: a folder, or S3-compatible storage as `s3://bucket/prefix`.
 *
 * @param isAwaited  whether somebody waits for an answer from it, who is told sooner where it does not answer
 * @throws CopyError where the address is of another kind, or the package for it is not installed
 */
export async function openArchivePlace(address: string, { isAwaited = false } = {}): Promise<ArchivePlace> {
  if (!ADDRESS.test(address)) return archiveFolder(address, { fileBeside, syncFolderOf })
  const [, bucket, prefix] = BUCKET.exec(address) ?? []
  if (bucket === undefined || prefix === undefined)
    throw new CopyError(`${address} cannot hold archives: use a folder, or s3://bucket/prefix`)
  const { bucketStorage } = await loadPackage()
  return archiveBucket(bucketStorage({ bucket, isAwaited }), { bucket, prefix: prefix.slice(1) })
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i
/**
 * Neither `.` nor `..` is a part of a prefix, and no character that a part of an address would be written otherwise
 * for.
 */
const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w-][\w.-]{0,100}){0,10})\/?$/

async function loadPackage(): Promise<BucketStoragePackage> {
  const found = optionalPackage('s3')
  if (found.kind === 'missing')
    throw new CopyError(`S3-compatible storage needs a package of its own: ${found.howTo}`)
  try {
    // It is ours: `packages/s3/src/s3.ts`, or what that becomes in its package.
    return (await import(found.address)) as BucketStoragePackage
  } catch {
    throw new CopyError(`the package of S3-compatible storage does not load: ${found.howTo}`)
  }
}
