/** The used part of the package, which has no types. */
declare module 'slip39' {
  const Slip39: {
    /** @throws Error */
    readonly fromArray: (
      secret: readonly number[],
      how: {
        readonly threshold: number
        readonly groups: readonly (readonly [threshold: number, members: number, name: string])[]
      },
    ) => { readonly root: { readonly mnemonics: readonly string[] } }
    /** @throws Error that may quote what it was given */
    readonly recoverSecret: (mnemonics: readonly string[], passphrase: string) => readonly number[]
    readonly validateMnemonic: (mnemonic: string) => boolean
  }
  export default Slip39
}
