// The lists name what stands in the charter, a hundred at most, and each is looked up.
export { fixture as dearest } from './update-root-quorum.fixture.ts'
