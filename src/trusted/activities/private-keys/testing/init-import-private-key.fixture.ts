import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = ({ by }) => ({ parameters: { userId: by.userId } })
