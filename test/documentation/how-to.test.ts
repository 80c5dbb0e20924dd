import { testPages } from './running/test-pages.ts'

// The tutorials run with the package that npm installs: test/package/guides.test.ts.
testPages('docs/how-to/*.md')
