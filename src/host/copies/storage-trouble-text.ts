import type { StorageTrouble } from './bucket-storage.ts'

const PRINTABLE = /^[\w.:/-]{1,200}$/

/**
 * A trouble of a storage as a sentence for the operator.
 *
 * @param path  the path of the call, such as `s3://bucket/prefix/file`
 */
export function storageTroubleText({ trouble, at, code }: StorageTrouble, path: string): string {
  const storage = `the storage${isPrintable(at) ? ` (${at})` : ''}`
  const named = isPrintable(code) ? ` (${code})` : ''
  switch (trouble) {
    case 'noPlace':
      return `${path} needs AWS_REGION, or a region in the profile; and AWS_ENDPOINT_URL_S3, such as https://s3.example.com, where it is not at AWS`
    case 'inTheClear':
      return `${path}: ${storage} is not https: an archive does not go over a network in the clear`
    case 'noCredentials':
      return `${path}: ${storage} was not asked: its client finds no credentials, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY${named}`
    case 'credentialsRefused':
      return `${path}: ${storage} does not accept the credentials${named}`
    case 'clock':
      return `${path}: ${storage} has another time than this machine: set the clock${named}`
    case 'noRights':
      return `${path}: ${storage} refuses: the credentials have no right to it${named}`
    case 'cold':
      return `${path} is in a storage class that is not read from: restore it there, and let no rule of the bucket move archives to such a class${named}`
    case 'noBucket':
      return `${path}: ${storage} has no such bucket${named}`
    case 'elsewhere':
      return `${path}: ${storage} redirects to another address, which is not followed: set AWS_REGION to the region of the bucket${named}`
    case 'noObject':
      return `${path} is not there${named}`
    case 'conditionFailed':
      return `${path} was exchanged while it was read${named}`
    case 'notImplemented':
      return `${path}: ${storage} does not know a request that archives need, such as If-None-Match when an upload is completed${named}`
    case 'tooLarge':
      return `${path} would have more than the 10,000 parts of 16 MiB that ${storage} takes: archive that month into a folder`
    case 'wrongAnswer':
      return `${path}: ${storage} gave no valid answer${named}`
    case 'unreachable':
      return `${path}: ${storage} cannot be reached, or does not answer in time${named}`
    case 'failed':
      return `${path}: ${storage} failed${named}`
  }
}

function isPrintable(text: string | undefined): text is string {
  return text !== undefined && PRINTABLE.test(text)
}
