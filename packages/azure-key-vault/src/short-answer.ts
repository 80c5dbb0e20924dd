/** What these services answer has a few KiB. */
const BYTES_MAX = 1024 * 1024

type Request = { onDownloadProgress?: (progress: { readonly loadedBytes: number }) => void }

/** Ends a request whose answer has no end, which the clients would collect in memory. */
export const shortAnswer = {
  name: 'shortAnswer',
  sendRequest: async <R extends Request, T>(request: R, next: (request: R) => Promise<T>): Promise<T> => {
    request.onDownloadProgress = ({ loadedBytes }) => {
      if (loadedBytes > BYTES_MAX) throw new Error('more bytes than an answer has')
    }
    return await next(request)
  },
}
