// All of it: a name that this Node does not have would keep the file from loading.
import * as zlib from 'node:zlib'

/** Node 22.13 has no zstd yet. */
export const hasZstd = typeof zlib.createZstdCompress === 'function'
