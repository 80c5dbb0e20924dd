// The lists name what stands in the charter, a hundred at most, and each is looked up.
export { withIds as dearest } from '../../../../../test/behaviour/fixtures.ts'
