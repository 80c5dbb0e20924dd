// The lists name what stands in the charter, a hundred at most, and each is looked up.
export { world as dearest } from './delete-user-tags.world.ts'
