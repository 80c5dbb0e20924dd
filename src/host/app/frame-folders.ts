import { present } from '../../trusted/base/assert.ts'
import type { FileFolder } from '../http/file-folder.ts'
import { frameHeaders } from '../http/frame-headers.ts'
import { sharedAnswer } from '../http/shared-answer.ts'
import { pageFiles } from './page-files.ts'

/** The values in the page of each frame, where an embedding page cannot change them. */
type FrameTerms = {
  /** The key that signs every bundle of this service: P-256, 65 bytes uncompressed, lowercase hex. */
  readonly signerKey: string
  /** The origins of the pages that may embed the frames. */
  readonly allowedOrigins: readonly string[]
}

/** The frames, each in a folder of its own: `/auth/`, `/export/`, `/import/` and `/export-and-sign/`. */
export function frameFolders(terms: FrameTerms): readonly FileFolder[] {
  const files = sharedAnswer(() => pageFiles('frames'))
  return NAMES.map((name) => ({
    path: `/${name}/`,
    headers: frameHeaders(terms.allowedOrigins),
    files: async () => {
      const built = await files()
      const named = (wanted: string): Uint8Array =>
        present(built.find((file) => file.name === wanted)?.bytes, `${wanted} of the frames`)
      return [
        { name: 'index.html', bytes: Buffer.from(pageOf(name, terms)) },
        { name: 'frame.js', bytes: named(`${name}.js`) },
        { name: 'frame.css', bytes: named('frames.css') },
        { name: 'licenses.txt', bytes: named('licenses.txt') },
      ]
    },
  }))
}

const NAMES = ['auth', 'export', 'import', 'export-and-sign'] as const

/** A key in hexadecimal and an origin contain no character with a special meaning in HTML. */
function pageOf(name: string, { signerKey, allowedOrigins }: FrameTerms): string {
  return `<!doctype html>
<html lang="en" data-signer-key="${signerKey}" data-allowed-origins="${allowedOrigins.join(' ')}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Claviger ${name}</title>
<link rel="stylesheet" href="frame.css">
<script type="module" src="frame.js"></script>
</head>
<body></body>
</html>
`
}
