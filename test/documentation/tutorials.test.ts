import { testPages } from './running/test-pages.ts'

testPages('docs/tutorials')
