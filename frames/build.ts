import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, stop } from 'esbuild'
import { type BuiltFile, licensesOf, sumsOf } from '../release/built-files.ts'

/** The frames by the names that are their paths. */
const FRAMES = ['auth', 'export', 'import', 'export-and-sign'] as const

const PROJECT = new URL('../', import.meta.url)

/**
 * Builds the frames: the same sources and tools give the same bytes on every machine and in every folder.
 *
 * @param project  the folder that holds `frames/` and `node_modules/`, as a file URL that ends with a slash
 * @returns        a script for each frame, `export.js` for example, the one style of all, `frames.css`, the licenses of
 *                 what is in them, and `SHA256SUMS`
 */
export async function buildFrames(project = PROJECT): Promise<readonly BuiltFile[]> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: fileURLToPath(project),
    entryPoints: FRAMES.map((name) => `frames/pages/${name}.ts`),
    tsconfig: fileURLToPath(new URL('frames/tsconfig.json', project)),
    outdir: 'out',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022'],
    charset: 'utf8',
    legalComments: 'none',
    inject: ['frames/base/buffer.ts'],
    preserveSymlinks: true,
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  await stop()
  const scripts = FRAMES.map((name) => {
    const built = outputFiles.find(({ path }) => path.replaceAll('\\', '/').endsWith(`/${name}.js`))
    if (built === undefined) throw new Error(`nothing was built for ${name}`)
    return { name: `${name}.js`, bytes: built.contents }
  })
  const style = { name: 'frames.css', bytes: readFileSync(new URL('frames/pages/frames.css', project)) }
  const licenses = Buffer.from(licensesOf('What is in the frames', project, metafile))
  const files = [...scripts, style, { name: 'licenses.txt', bytes: licenses }]
  return [...files, sumsOf(files)]
}
