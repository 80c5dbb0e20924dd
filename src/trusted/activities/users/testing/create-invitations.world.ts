import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = ({ by, example }) => ({
  parameters: {
    invitations: example.invitations.map((invitation: object) => ({
      ...invitation,
      senderUserId: by.userId,
    })),
  },
})
