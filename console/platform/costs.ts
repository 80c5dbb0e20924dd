/** In place of what each step of the work costs in the vault: a page does all steps at once, and counts none. */
export const costs: { readonly [step: string]: number } = {}
