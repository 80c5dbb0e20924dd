// The lists name what stands in the charter, a hundred at most, and each is looked up.
export { fixture as dearest } from './delete-user-tags.fixture.ts'
