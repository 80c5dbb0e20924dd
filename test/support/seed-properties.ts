import fc from 'fast-check'
import { testSeed } from './test-seed.ts'

// Loaded by `test/run.ts` before each test file.
fc.configureGlobal({ seed: testSeed })
