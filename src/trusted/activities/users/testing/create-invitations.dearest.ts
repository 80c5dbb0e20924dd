import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = ({ by, example }) => ({
  parameters: {
    invitations: Array.from({ length: 100 }, (_, at) => ({
      ...example.invitations[0],
      receiverUserEmail: `person${at}@example.com`,
      senderUserId: by.userId,
    })),
  },
})
