// The whole module is imported: a missing name would keep the file from loading.
import * as zlib from 'node:zlib'

/** Node 22.13 has no zstd yet. */
export const hasZstd = typeof zlib.createZstdCompress === 'function'
