/** The tests that see each room: those in it, and some of the whole service. */
export const TESTS_BY_ROOM: Readonly<Record<string, readonly string[]>> = {
  policy: [
    'src/trusted/policy/**/*.test.ts',
    'src/trusted/activities/lint-policies.test.ts',
    'src/trusted/vault/{compiled-charter,compiled-controls,could-allow,limit-reached,usage}.test.ts',
    'src/host/cli/policies/*.test.ts',
    'src/host/queries/rehearsals/*.test.ts',
    'test/policy-table/policy-table.test.ts',
  ],
  vault: [
    'src/trusted/{vault,charter,objects}/**/*.test.ts',
    'src/protocol/*.test.ts',
    'src/host/{pipeline,link}/**/*.test.ts',
    'src/trusted/activities/{consensus,credentials,mfa,oauth,policies,secrets,sessions,users}/*.test.ts',
    'src/host/queries/rehearsals/*.test.ts',
    'test/behaviour/{decisions,same-bytes,wiping}.test.ts',
    'test/tampering/{decided,forgery,hostile-host,lying-host,meters,putting-back}.test.ts',
  ],
  store: [
    'src/host/{store,pipeline,link}/**/*.test.ts',
    'src/host/delivery/{runner,webhooks}.test.ts',
    'src/host/queries/activities/*.test.ts',
  ],
}
