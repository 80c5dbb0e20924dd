import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = ({ by, example }) => ({
  parameters: {
    invitations: Array.from({ length: 100 }, (_, at) => ({
      ...example.invitations[0],
      receiverUserEmail: `person${at}@example.com`,
      senderUserId: by.userId,
    })),
  },
})
