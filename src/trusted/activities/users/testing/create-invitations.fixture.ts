import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = ({ by, example }) => ({
  parameters: {
    invitations: example.invitations.map((invitation: object) => ({
      ...invitation,
      senderUserId: by.userId,
    })),
  },
})
