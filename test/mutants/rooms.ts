/** Where faults are planted, and the tests that see them: those of the room, and some of the whole service. */
type Room = { readonly sources: string; readonly tests: readonly string[] }

export const ROOMS: Readonly<Record<string, Room>> = {
  policy: {
    sources: 'src/trusted/policy/**/*.ts',
    tests: [
      'src/trusted/policy/**/*.test.ts',
      'src/trusted/activities/lint-policies.test.ts',
      'src/trusted/vault/**/{compiled-charter,compiled-controls,could-allow,limit-reached,usage}.test.ts',
      'src/host/cli/policies/*.test.ts',
      'src/host/queries/rehearsals/*.test.ts',
      'test/policy-table/policy-table.test.ts',
    ],
  },
  vault: {
    sources: 'src/trusted/{vault,charter}/**/*.ts',
    tests: [
      'src/trusted/{vault,charter,objects}/**/*.test.ts',
      'src/protocol/*.test.ts',
      'src/host/{pipeline,link}/**/*.test.ts',
      'src/trusted/activities/**/*.test.ts',
      'src/host/queries/rehearsals/*.test.ts',
      'test/behaviour/{decisions,same-bytes,wiping}.test.ts',
      'test/charters/*.test.ts',
      'test/copies/{erase*,restored}.test.ts',
      'test/cost/cost.test.ts',
      'test/rotation/recovered.test.ts',
      'test/tampering/{decided,forgery,hostile-host,lying-host,meters,omitting-host,putting-back}.test.ts',
      'test/tampering/{record-forms,renewed-charters,resealing,stolen-service-keys,two-hosts}.test.ts',
    ],
  },
  store: {
    sources: 'src/host/store/**/*.ts',
    tests: [
      'src/host/{store,pipeline,link}/**/*.test.ts',
      'src/host/delivery/{runner,webhooks}.test.ts',
      'src/host/queries/activities/*.test.ts',
    ],
  },
}
