import { testPages } from './running/test-pages.ts'

testPages('docs/how-to')
