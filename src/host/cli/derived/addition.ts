/** For a query that no published client knows. */
export const ADDITION = 'An addition of Claviger, which published clients do not have.'
