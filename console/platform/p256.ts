/** In place of noble's P-256: no chain that is read here signs with it, and stamps are verified by the browser. */
export const p256 = {
  Point: {
    fromBytes: (): never => {
      throw new Error('no key on P-256 is known here')
    },
  },
}
