import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import Metro from 'metro'

// What React Native brings for modules is not installed here; Metro has a transformation of its own that reads them.
const folder = dirname(fileURLToPath(import.meta.url))
const transform = { experimentalImportSupport: true, inlineRequires: false }
const config = Metro.mergeConfig(await Metro.loadConfig({ cwd: folder }), {
  projectRoot: folder,
  reporter: { update() {} },
  transformer: { getTransformOptions: async () => ({ transform }) },
})
const { code } = await Metro.runBuild(config, {
  entry: 'app.js',
  minify: false,
  dev: false,
  platform: 'web',
  write: false,
})
mkdirSync(`${folder}/dist`, { recursive: true })
writeFileSync(`${folder}/dist/main.js`, code)
