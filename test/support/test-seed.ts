/**
 * What everything random in the suite starts from. It is the same each time, so that a run that fails fails again, and
 * that a change which does not break anything breaks no run. `npm run properties` tries fresh ones.
 */
export const testSeed = Number(process.env['CLAVIGER_TEST_SEED'] ?? 1)
