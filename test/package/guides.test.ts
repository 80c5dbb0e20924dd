import { join } from 'node:path'
import { testPages } from '../documentation/running/test-pages.ts'
import { installed } from './installed.ts'

// What a stranger does first, with the package that npm has installed and no clone.
const modules = join(installed, 'node_modules')
testPages('docs/{tutorials/*,how-to/{agents,import-and-export,webhooks}}.md', {
  folder: join(modules, 'claviger'),
  command: `'${join(modules, '.bin', 'claviger')}'`,
})
